/** Button with the number of errors in this tab. It is hidden while there are no errors (spec §2 "Shell", §8). */
import { BugOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "@red/contract/platform/datetime";
import { DIALOG_WIDTH, LargeDialog } from "#ui/dialog.tsx";
import { clearFaults, useFaults } from "#lib/faults.ts";
import type { Fault } from "#lib/faults.ts";
import { useUser } from "#lib/session.ts";
import { useConfirm } from "#ui/confirm.tsx";
import { useOpened } from "#ui/opened.tsx";
import "./error-log.css";

const COUNT_MAX = 99;

export function ErrorLogButton() {
  const { t } = useTranslation("app");
  const faults = useFaults();
  const { open, close, show } = useOpened<true>();
  const count = faults.reduce((sum, fault) => sum + fault.count, 0);
  return (
    <>
      {count > 0 && (
        <Button
          type="text"
          danger
          className="s-fault-button"
          icon={<BugOutlined aria-hidden="true" />}
          aria-label={t("error_log_count", { count })}
          onClick={() => open(true)}
        >
          <span className="s-faults-count" aria-hidden="true">
            {count > COUNT_MAX ? `${COUNT_MAX}+` : count}
          </span>
        </Button>
      )}
      {show(() => (
        <ErrorLogDialog faults={faults} onClose={close} />
      ))}
    </>
  );
}

function ErrorLogDialog({ faults, onClose }: { faults: readonly Fault[]; onClose: () => void }) {
  const { t } = useTranslation(["app", "ui"]);
  const confirm = useConfirm();
  const clear = async () => {
    const title = t("error_log_clear_title", { count: faults.length });
    if (await confirm({ title, okText: t("error_log_clear"), danger: true })) {
      clearFaults();
      onClose();
    }
  };
  return (
    <LargeDialog
      title={t("error_log")}
      width={DIALOG_WIDTH.table}
      onCancel={onClose}
      footer={
        <>
          <Button danger onClick={() => void clear()}>
            {t("error_log_clear")}
          </Button>
          <Button type="primary" onClick={onClose}>
            {t("ui:close")}
          </Button>
        </>
      }
    >
      <p className="k-note">{t("error_log_note")}</p>
      <ol className="s-faults">
        {faults.map((fault) => (
          <FaultItem key={`${fault.at} ${fault.message}`} fault={fault} />
        ))}
      </ol>
    </LargeDialog>
  );
}

function FaultItem({ fault }: { fault: Fault }) {
  const { t } = useTranslation("app");
  const { time_zone } = useUser();
  const { at, count, message, url, stack } = fault;
  return (
    <li>
      <p className="s-fault-head">
        <span className="k-time">{formatDateTime(new Date(at), time_zone)}</span>
        {count > 1 && <span>{t("error_log_times", { count })}</span>}
      </p>
      <p className="s-fault-message">{message}</p>
      <p className="s-fault-url">{url}</p>
      {stack !== "" && (
        <details>
          <summary>{t("error_log_stack")}</summary>
          <pre>{stack}</pre>
        </details>
      )}
    </li>
  );
}
