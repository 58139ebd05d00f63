/** Counts the faults in this tab; hidden while there are none (spec §2 "Shell", §8). */
import { BugOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { useFaults } from "#lib/faults.ts";
import { useOpened } from "#ui/opened.tsx";
import { ErrorLogDialog } from "./error-log-dialog.tsx";

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
