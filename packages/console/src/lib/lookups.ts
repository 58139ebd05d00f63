import { CHANNEL_CODES, CLIENT_CODES, PLATFORM_CODES } from "@red/contract/platform/codes";
import { useTranslation } from "react-i18next";

/** Returns functions that translate a code to its label. A code that is missing in its table becomes 未知(9). */
export function useCodeLabels() {
  const { t } = useTranslation("lookups");
  const labelsOf =
    <C extends number>(codes: readonly C[], label: (known: C) => string) =>
    (code: number) => {
      const known = codes.find((each) => each === code);
      return known === undefined ? t("unknown_code", { code }) : label(known);
    };
  return {
    channel: labelsOf(CHANNEL_CODES, (channel) => t(`channel_${channel}`)),
    client: labelsOf(CLIENT_CODES, (client) => t(`client_${client}`)),
    platform: labelsOf(PLATFORM_CODES, (platform) => t(`platform_${platform}`)),
  };
}
