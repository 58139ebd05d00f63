/** Draws a chart with ECharts, in the colours of the theme and the font size of the text around the chart. */
import { BarChart, LineChart } from "echarts/charts";
import { GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { getInstanceByDom, init, use as register } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { useEffect, useRef } from "react";
import { themeColour, useEffectiveTheme, usePreference } from "#lib/preferences.ts";
import { palette } from "#ui/palette.ts";
import type { Palette } from "#ui/palette.ts";

register([BarChart, LineChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer]);

export interface ChartData {
  readonly title: string;
  /** Names of the bars. */
  readonly rows: readonly string[];
  /** Text below each name. */
  readonly notes?: readonly string[];
  readonly series: readonly { readonly name: string; readonly data: readonly number[] }[];
  /** True: horizontal, stacked bars beside long names. False: the names are times, and the second series is a line. */
  readonly isLying?: boolean;
}

function optionOf(chart: ChartData, c: Palette, fontSize: number, width: number) {
  const { rows, notes = [], series, isLying = false } = chart;
  const textStyle = { color: c.text2, fontSize };
  const axisLabel = { ...textStyle, lineHeight: 1.4 * fontSize, hideOverlap: true };
  const broken = isLying && { width: 0.4 * width, overflow: "break", interval: 0 };
  const values = {
    splitLine: { lineStyle: { color: c.line } },
    splitNumber: 3,
    minInterval: 1,
    axisLabel,
  };
  const names = {
    type: "category",
    data: rows.map((row, at) => [row, notes[at]].join("\n").trim()),
    inverse: isLying,
    axisLabel: { ...axisLabel, ...broken },
  };
  const bar = { type: "bar", barMaxWidth: 2 * fontSize, ...(isLying && { stack: "all" }) };
  const line = { type: "line", symbol: "none" };
  return {
    animation: false,
    color: [c.action, c.warning],
    grid: { left: 4, right: 24, top: 2.5 * fontSize, bottom: 4, containLabel: true },
    legend: { right: 0, top: 0, textStyle },
    tooltip: { trigger: "axis", confine: true, backgroundColor: c.raised, textStyle },
    ...(isLying ? { xAxis: values, yAxis: names } : { xAxis: names, yAxis: values }),
    series: series.map((one, at) => ({ ...one, ...(at === 0 || isLying ? bar : line) })),
  };
}

export function Chart(data: ChartData) {
  const place = useRef<HTMLDivElement>(null);
  const colours = palette(useEffectiveTheme(), usePreference(themeColour));
  useEffect(() => {
    const made = init(place.current, null, { renderer: "svg" });
    return () => made.dispose();
  }, []);
  useEffect(() => {
    const chart = place.current && getInstanceByDom(place.current);
    // The observer runs this function at once and after each change of size.
    const fit = new ResizeObserver(([entry]) => {
      const { fontSize } = getComputedStyle(entry?.target ?? document.body);
      chart?.resize();
      const size = Number.parseFloat(fontSize);
      chart?.setOption(optionOf(data, colours, size, chart.getWidth()), true);
    });
    fit.observe(chart?.getDom() ?? document.body);
    return () => fit.disconnect();
  });
  const minHeight = data.isLying ? `${3.4 * data.rows.length + 4}em` : undefined;
  return (
    <div ref={place} className="w-chart" role="img" aria-label={data.title} style={{ minHeight }} />
  );
}
