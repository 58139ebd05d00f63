/** Filter, table and pager, built like antd's examples. */
import { Button, DatePicker, Form, Input, Select, Switch, Table, Tag } from "antd";
import type { TableProps } from "antd";
import type { Dayjs } from "dayjs";
import { useEffect, useState } from "react";
import { ask } from "./calls.ts";
import type { Activities, Activity } from "./calls.ts";
import { optionsOf, PlainEditor } from "./plain-editor.tsx";

interface Filter {
  start_date?: Dayjs | null;
  rounds_name?: string;
  tag?: string;
  rounds_status?: string;
}

function columnsOf(edit: (id: number) => void): TableProps<Activity>["columns"] {
  return [
    { title: "活动ID", dataIndex: "id", width: 64, fixed: "start" },
    {
      title: "活动名称",
      dataIndex: "rounds_name",
      width: 144,
      fixed: "start",
      render: (name: string, { rounds_status }) => (
        <>
          <div>{name}</div>
          <Tag color={rounds_status === 1 ? "success" : "warning"}>
            {rounds_status === 1 ? "进行中" : "已暂停"}
          </Tag>
        </>
      ),
    },
    { title: "开始时间", dataIndex: "start_time", width: 94 },
    { title: "结束时间", dataIndex: "end_time", width: 94 },
    { title: "奖池", dataIndex: "pool_name", width: 92 },
    { title: "条件描述", dataIndex: "condition_name", width: 126 },
    { title: "条件值", dataIndex: "condition_value", width: 76, align: "right" },
    {
      title: "条件时间",
      width: 158,
      render: (_, row) => `${row.achieve_start_time} ~ ${row.achieve_end_time}`,
    },
    {
      title: "开关",
      width: 60,
      align: "center",
      render: (_, row) => <Switch size="small" checked={row.rounds_status === 1} />,
    },
    { title: "站内信", dataIndex: "red_code", width: 100 },
    {
      title: "操作",
      width: 128,
      fixed: "end",
      render: (_, row) => (
        <>
          <Button type="link" size="small" onClick={() => edit(row.id)}>
            编辑
          </Button>
          <Button type="link" size="small">
            复制
          </Button>
          <Button type="link" size="small" danger>
            删除
          </Button>
        </>
      ),
    },
  ];
}

const NOTHING: Activities = { content: [], total: 0 };

function queryOf({ start_date, ...texts }: Filter, page: number, size: number): string {
  const query = new URLSearchParams({ page: String(page), size: String(size) });
  const values = { ...texts, start_date: start_date?.format("YYYY-MM-DD") };
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== "") {
      query.set(name, value);
    }
  }
  return query.toString();
}

function useActivities(filter: Filter, page: number, size: number) {
  const [answer, setAnswer] = useState<{ asked: string; list: Activities } | null>(null);
  const asked = queryOf(filter, page, size);
  useEffect(() => {
    let isWanted = true;
    void ask<Activities>(`/gred/api/act/list?${asked}`).then((list) => {
      if (isWanted) {
        setAnswer({ asked, list });
      }
    });
    return () => {
      isWanted = false;
    };
  }, [asked]);
  return { list: answer?.list ?? NOTHING, loading: answer?.asked !== asked };
}
export function PlainPage() {
  const [filter, setFilter] = useState<Filter>({});
  const [{ page, size }, setPaging] = useState({ page: 1, size: 20 });
  const [tags, setTags] = useState<Record<string, string>>({});
  const [edited, setEdited] = useState<number | null>(null);
  const { list, loading } = useActivities(filter, page, size);
  useEffect(() => {
    void ask<{ tags: Record<string, string> }>("/gred/api/extratimes/tags").then((found) =>
      setTags(found.tags),
    );
  }, []);
  return (
    <>
      <Form<Filter>
        layout="inline"
        role="search"
        onFinish={(values) => {
          setFilter(values);
          setPaging({ page: 1, size });
        }}
      >
        <Form.Item name="start_date" label="活动开始日期">
          <DatePicker />
        </Form.Item>
        <Form.Item name="rounds_name" label="活动名称">
          <Input />
        </Form.Item>
        <Form.Item name="tag" label="活动组别">
          <Select allowClear options={optionsOf(tags)} />
        </Form.Item>
        <Form.Item name="rounds_status" label="开关">
          <Select allowClear options={optionsOf({ 0: "暂停", 1: "启用" })} />
        </Form.Item>
        <Button type="primary" htmlType="submit">
          查询
        </Button>
      </Form>
      <Table<Activity>
        rowKey="id"
        size="medium"
        loading={loading}
        columns={columnsOf(setEdited) ?? []}
        dataSource={[...list.content]}
        scroll={{ x: "max-content" }}
        pagination={{
          current: page,
          pageSize: size,
          total: list.total,
          showQuickJumper: true,
          showLessItems: true,
          onChange: (next, each) => setPaging({ page: next, size: each }),
        }}
      />
      {edited !== null && <PlainEditor id={edited} onClose={() => setEdited(null)} />}
    </>
  );
}
