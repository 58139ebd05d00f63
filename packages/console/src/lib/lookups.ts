/** Labels of the platform's codes; unknown codes are shown as they are. */
import { CHANNEL_CODES, CLIENT_CODES, PLATFORM_CODES } from "@red/contract/lookups";
import { useTranslation } from "react-i18next";

function known<C extends number>(codes: readonly C[], code: number): C | undefined {
  return codes.find((each) => each === code);
}

/** 未知(9) for a code that its table lacks. */
export function useCodeLabels() {
  const { t } = useTranslation("lookups");
  const unknown = (code: number) => t("unknown_code", { code });
  return {
    channel: (code: number) => {
      const channel = known(CHANNEL_CODES, code);
      return channel === undefined ? unknown(code) : t(`channel_${channel}`);
    },
    client: (code: number) => {
      const client = known(CLIENT_CODES, code);
      return client === undefined ? unknown(code) : t(`client_${client}`);
    },
    platform: (code: number) => {
      const platform = known(PLATFORM_CODES, code);
      return platform === undefined ? unknown(code) : t(`platform_${platform}`);
    },
  };
}
