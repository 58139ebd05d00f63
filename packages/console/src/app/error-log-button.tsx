/** Counts the faults in this tab; hidden while there are none (spec §2 "Shell", §8). */
import { BugOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFaults } from "#lib/faults.ts";
import { ErrorLogDialog } from "./error-log-dialog.tsx";

const COUNT_MAX = 99;

export function ErrorLogButton() {
  const { t } = useTranslation("app");
  const faults = useFaults();
  const [open, setOpen] = useState(false);
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
          onClick={() => setOpen(true)}
        >
          <span className="s-faults-count" aria-hidden="true">
            {count > COUNT_MAX ? `${COUNT_MAX}+` : count}
          </span>
        </Button>
      )}
      {open && <ErrorLogDialog faults={faults} onClose={() => setOpen(false)} />}
    </>
  );
}
