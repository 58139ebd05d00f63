/** Dialog A (spec §2). Shows the number of a player's draws in a round: total, used and left. */
import { Form, Input, Select } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { drawInfoQuery, playerRoutes } from "@red/contract/chances/player";
import type { DrawInfo } from "@red/contract/chances/player";
import { useActivitiesOf } from "#lib/activities.ts";
import { call, settled } from "#lib/api.ts";
import { useBusinessDay } from "#lib/clock.ts";
import { DayPicker } from "#ui/date-time-picker.tsx";
import { Figure } from "#ui/figure.tsx";
import { grouped } from "#ui/format.ts";
import { useTimeRule } from "#ui/time-faults.ts";
import { DATE, momentOf } from "#ui/typed-time.ts";
import { dayjs } from "#ui/wall-time.ts";
import type { Dayjs } from "#ui/wall-time.ts";
import { AccountButton } from "./account-button.tsx";
import { AskDialog } from "#forms/ask-dialog.tsx";
import { passes } from "#forms/check.ts";
import { FieldItem } from "#forms/field-item.tsx";
import { lastAsked } from "./last-account.ts";

interface Asked {
  start_date?: Dayjs | null;
  rounds_name?: string | undefined;
  user_name?: string;
}

interface Answer {
  readonly info: DrawInfo;
  readonly name: string;
  readonly activity: string;
  readonly date: string | undefined;
}

function DrawInfoAnswer({ info, name, activity, date }: Answer) {
  const { t } = useTranslation("player");
  const { activities } = useActivitiesOf(date);
  const round = activities.find(({ rounds_name }) => rounds_name === activity);
  return (
    <div className="q-answer">
      <p>{t("draws_answer", { name, activity })}</p>
      <dl className="k-figures">
        {(["total", "already", "remain"] as const).map((key) => (
          <Figure key={key} term={t(key)}>
            {grouped(info[key])}
          </Figure>
        ))}
      </dl>
      {info.limited_by !== null && <p>{t(`limited_${info.limited_by}`)}</p>}
      <p>
        <AccountButton name={name} rounds_id={round?.id} text={t("explain")} />
      </p>
    </div>
  );
}

interface DrawInfoDialogProps {
  /** First value of the account field. If undefined, the field starts with the account of the last question. */
  account: string | undefined;
  onClose: () => void;
}

export function DrawInfoDialog({ account, onClose }: DrawInfoDialogProps) {
  const { t } = useTranslation("player");
  const [form] = Form.useForm<Asked>();
  const readable = useTimeRule("date");
  const day = momentOf(Form.useWatch("start_date", form));
  const { activities, loading } = useActivitiesOf(day?.format(DATE));
  const today = useBusinessDay();
  const [initial] = useState(() => ({
    start_date: dayjs(today),
    user_name: account ?? lastAsked.account,
  }));

  const ask = async (asked: Asked): Promise<Answer | null> => {
    const name = asked.user_name?.trim() ?? "";
    const { rounds_name } = asked;
    const date = momentOf(asked.start_date)?.format(DATE);
    const body = { user_name: name, rounds_name, start_date: date };
    if (!passes(form, drawInfoQuery, body)) {
      return null;
    }
    lastAsked.account = name;
    const result = await settled(call(playerRoutes.drawInfo, { body }));
    return result.ok ? { info: result.data, name, activity: rounds_name ?? "", date } : null;
  };

  return (
    <AskDialog<Asked, Answer>
      title={t("draws_title")}
      form={form}
      initial={initial}
      draftKey={`draw_info:${account ?? ""}`}
      onAsk={ask}
      onEntry={({ start_date }) => {
        // A new day clears the activity. An emptied day field keeps the activity.
        if (momentOf(start_date) !== null) {
          form.setFieldsValue({ rounds_name: undefined });
        }
      }}
      onClose={onClose}
      showAnswer={(answer) => answer !== null && <DrawInfoAnswer {...answer} />}
    >
      {/* The fields have their API names, so that an error of the server marks the right field. */}
      <FieldItem name="start_date" rules={[readable]}>
        <DayPicker />
      </FieldItem>
      <Form.Item name="rounds_name" label={t("rounds_name")}>
        <Select
          loading={loading}
          showSearch={{ optionFilterProp: "label" }}
          options={activities.map(({ rounds_name }) => ({
            value: rounds_name,
            label: rounds_name,
          }))}
          notFoundContent={t(day ? "none_that_day" : "choose_date_first")}
        />
      </Form.Item>
      <FieldItem name="user_name">
        <Input autoComplete="off" maxLength={64} allowClear />
      </FieldItem>
    </AskDialog>
  );
}
