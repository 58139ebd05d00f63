import { CheckCircleFilled, MinusCircleOutlined } from "@ant-design/icons";
import type { ReactNode } from "react";
import { Status } from "#ui/cells.tsx";

/** Shows the reason, with an icon that says whether a row counted. */
export function Verdict({ good, children }: { good: boolean; children: ReactNode }) {
  return (
    <span className="p-verdict">
      <Status
        tone={good ? "success" : "neutral"}
        icon={good ? <CheckCircleFilled /> : <MinusCircleOutlined />}
      >
        {children}
      </Status>
    </span>
  );
}
