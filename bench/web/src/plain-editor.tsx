/** The form of an activity in a dialog: the same fields and calls. */
import { AutoComplete, Button, DatePicker, Form, Input, Modal, Select } from "antd";
import dayjs from "dayjs";
import type { Dayjs } from "dayjs";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { ask } from "./calls.ts";
import type { Activity, Code, Pool } from "./calls.ts";

const TIMES = {
  achieve_start_time: "条件开始时间",
  achieve_end_time: "条件结束时间",
  start_time: "活动开始时间",
  end_time: "活动结束时间",
} as const;
type TimeName = keyof typeof TIMES;
const TIME_NAMES = Object.keys(TIMES) as TimeName[];

type Values = Omit<Activity, TimeName> & Record<TimeName, Dayjs>;

interface Choices {
  readonly tags: Record<string, string>;
  readonly pools: readonly Pool[];
  readonly codes: readonly Code[];
}

function valuesOf(activity: Activity): Values {
  return {
    ...activity,
    achieve_start_time: dayjs(activity.achieve_start_time),
    achieve_end_time: dayjs(activity.achieve_end_time),
    start_time: dayjs(activity.start_time),
    end_time: dayjs(activity.end_time),
  };
}

export function optionsOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

function count(from: number, to: number, unit: string) {
  return Array.from({ length: to - from + 1 }, (_, at) => ({
    value: from + at,
    label: `${from + at} ${unit}`,
  }));
}

function Field({ name, label, children }: { name: string; label: string; children: ReactNode }) {
  return (
    <Form.Item name={name} label={label} rules={[{ required: true }]}>
      {children}
    </Form.Item>
  );
}

function Fields({ tags, pools, codes }: Choices) {
  return (
    <>
      <Field name="rounds_name" label="活动名称">
        <Input />
      </Field>
      <Field name="tag" label="活动组别">
        <Select options={optionsOf(tags)} />
      </Field>
      <Field name="red_code" label="站内信">
        <AutoComplete options={codes.map(({ red_code, label }) => ({ value: red_code, label }))} />
      </Field>
      <Field name="pool_name" label="奖池">
        <Select
          showSearch
          options={pools.map(({ pool_name: value, prizes }) => ({
            value,
            label: `${value}（${prizes}）`,
          }))}
        />
      </Field>
      <Field name="condition_name" label="数据源">
        <Select options={optionsOf({ 0: "不限", 1: "投注", 2: "存款", 3: "白名单" })} />
      </Field>
      <Field name="condition_formula" label="计算方式">
        <Select options={optionsOf({ 1: "累计", 3: "单笔" })} />
      </Field>
      <Field name="condition_value" label="条件值">
        <Input inputMode="decimal" />
      </Field>
      <Field name="condition_times" label="可抽取次数">
        <Select options={count(1, 5, "次")} />
      </Field>
      <Field name="condition_type" label="是否叠加">
        <Select options={optionsOf({ 1: "仅限一次", 2: "可多次获得" })} />
      </Field>
      <Field name="turnover" label="流水倍数">
        <Select options={count(1, 10, "倍")} />
      </Field>
      {TIME_NAMES.map((name) => (
        <Field key={name} name={name} label={TIMES[name]}>
          <DatePicker showTime format="YYYY-MM-DD HH:mm:ss" />
        </Field>
      ))}
    </>
  );
}

export function PlainEditor({ id, onClose }: { id: number; onClose: () => void }) {
  const [form] = Form.useForm<Values>();
  const [activity, setActivity] = useState<Activity | null>(null);
  const [choices, setChoices] = useState<Choices>({ tags: {}, pools: [], codes: [] });
  useEffect(() => {
    void ask<Activity>(`/gred/api/act/${id}/edit`).then(setActivity);
    void Promise.all([
      ask<{ tags: Record<string, string> }>("/gred/api/extratimes/tags"),
      ask<{ content: Pool[] }>("/gred/api/pool"),
      ask<{ content: Code[] }>("/gred/api/redcode"),
    ]).then(([{ tags }, pools, codes]) =>
      setChoices({ tags, pools: pools.content, codes: codes.content }),
    );
  }, [id]);
  return (
    <Modal
      open
      title="编辑活动"
      width={1000}
      destroyOnHidden
      loading={activity === null}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" onClick={() => void form.validateFields()}>
            保存
          </Button>
        </>
      }
    >
      {activity !== null && (
        <Form<Values> form={form} layout="vertical" initialValues={valuesOf(activity)}>
          <Fields {...choices} />
        </Form>
      )}
    </Modal>
  );
}
