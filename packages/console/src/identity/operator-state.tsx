import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  StopOutlined,
  SyncOutlined,
} from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import { Moment, Status } from "#ui/cells.tsx";

const STATES = {
  active: ["success", CheckCircleOutlined],
  to_bind: ["warning", ClockCircleOutlined],
  rotating: ["warning", SyncOutlined],
  disabled: ["neutral", StopOutlined],
  revoked: ["neutral", StopOutlined],
} as const;

export function State({ is, at }: { is: keyof typeof STATES; at: string | null }) {
  const { t } = useTranslation("operator");
  const [tone, Icon] = STATES[is];
  return (
    <div className="k-two-lines">
      <Status tone={tone} icon={<Icon />}>
        {t(is)}
      </Status>
      {at !== null && <Moment value={at} />}
    </div>
  );
}
