import { theme } from "antd";
import type { ThemeConfig } from "antd";
import { palette } from "./palette.ts";
import type { Mode, Palette } from "./palette.ts";

type Algorithm = Extract<ThemeConfig["algorithm"], (...rest: never) => unknown>;

/**
 * Runs after the algorithm of the component library, and replaces the colours that the library derives without regard
 * to contrast.
 */
function exactColours(c: Palette): Algorithm {
  return (seed, map) => ({
    ...(map ?? theme.defaultAlgorithm(seed)),
    colorPrimary: c.action,
    colorPrimaryHover: c.actionHover,
    colorPrimaryActive: c.actionPressed,
    colorPrimaryText: c.action,
    colorPrimaryTextHover: c.actionHover,
    colorPrimaryTextActive: c.actionPressed,
    colorPrimaryBg: c.actionSoft,
    colorPrimaryBgHover: c.actionSoft,
    colorPrimaryBorder: c.actionLine,
    colorPrimaryBorderHover: c.action,
    colorInfo: c.action,
    colorInfoBg: c.actionSoft,
    colorInfoBorder: c.actionLine,
    colorInfoText: c.action,
    colorLink: c.action,
    colorLinkHover: c.actionHover,
    colorLinkActive: c.actionPressed,
    colorError: c.danger,
    colorErrorHover: c.danger,
    colorErrorText: c.danger,
    colorErrorBg: c.dangerSoft,
    colorErrorBgHover: c.dangerSoft,
    colorSuccess: c.success,
    colorSuccessText: c.success,
    colorSuccessBg: c.successSoft,
    colorWarning: c.warning,
    colorWarningText: c.warning,
    colorWarningBg: c.warningSoft,
    colorBgLayout: c.canvas,
    colorBgContainer: c.surface,
    colorBgElevated: c.raised,
    colorBorder: c.border,
    colorBorderSecondary: c.line,
    colorText: c.text,
    colorTextSecondary: c.text2,
    colorTextTertiary: c.text3,
    // Also applies to disabled controls: WCAG exempts them, but operators read them.
    colorTextQuaternary: c.text3,
  });
}

/** Height of a control on touch devices, for each of the three control sizes. */
const FINGER = { controlHeight: 44, controlHeightSM: 44, controlHeightLG: 44 };

/** Derives the theme. `isStill` turns animations off; `isNarrow` is true on a phone. */
export function deriveTheme(
  mode: Mode,
  themeColour: string,
  isStill: boolean,
  isNarrow: boolean,
): ThemeConfig {
  const c = palette(mode, themeColour);
  const base = mode === "light" ? theme.defaultAlgorithm : theme.darkAlgorithm;
  return {
    algorithm: [base, exactColours(c)],
    cssVar: { key: "red" },
    token: {
      fontFamily: "var(--font)",
      colorTextLightSolid: c.onAction,
      controlOutline: "transparent",
      ...(isNarrow && FINGER),
      motion: !isStill,
      // Animations are short, because operators use the console all day.
      motionDurationFast: "0.06s",
      motionDurationMid: "0.1s",
      motionDurationSlow: "0.16s",
    },
    components: {
      Button: {
        primaryShadow: "none",
        defaultShadow: "none",
        dangerShadow: "none",
        dangerColor: c.onDanger,
        fontWeight: 500,
      },
      Table: {
        headerBg: c.muted,
        headerColor: c.text2,
        headerSplitColor: "transparent",
        rowHoverBg: c.muted,
        rowExpandedBg: c.muted,
        headerSortActiveBg: c.muted,
        bodySortBg: c.surface,
        cellFontSizeMD: 13,
        cellPaddingBlockMD: 6,
      },
      Tooltip: { colorTextLightSolid: "#ffffff", colorBgSpotlight: "#28313d" },
      Tabs: { horizontalMargin: "0 0 12px 0" },
      Form: { itemMarginBottom: 20, verticalLabelPadding: "0 0 4px" },
      // Only the border makes an empty box or circle visible.
      Checkbox: { colorBorder: c.text3 },
      Radio: { colorBorder: c.text3 },
      Switch: { handleBg: mode === "light" ? "#ffffff" : "#0a1119" },
    },
  };
}
