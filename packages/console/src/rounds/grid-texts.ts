import type { English } from "#lib/language.ts";

const zh = {
  new_pool: "新建奖池",
  create: "创建奖池",
  edit_title: "表格编辑「{name}」",
  pool_name: "新奖池的名称",
  pool_word: "奖池",
  hint: "可从电子表格复制后粘贴，带表头时列的顺序不限。实物的额度填 0 或“实物”。回车到下一行；空行不保存；全部保存或全部不保存。",
  table: "奖品表格",
  award_name: "奖品",
  award_price: "额度",
  weight: "权重",
  award_total: "总数",
  floors: "保底",
  odds: "中奖率",
  cell: "第 {row} 行{column}",
  remove: "移除第 {row} 行",
  total: "{prizes} 种奖品，权重合计 {weight}",
  incomplete: "填完每行的额度、权重和总数后显示中奖率和支出",
  faults: "标出的 {count} 格需要修改",
  average: "单抽期望",
  exposure: "剩余最大支出",
} as const;

const en: English<typeof zh> = {
  new_pool: "New pool",
  create: "Create pool",
  edit_title: "Edit {name} as a table",
  pool_name: "Name of the new pool",
  pool_word: "pool",
  hint: "Paste from a spreadsheet; with headers, columns may be in any order. Goods have the amount 0, or “goods”. Enter goes to the next row. Empty rows are left out. All rows are saved, or none.",
  table: "Prizes as a table",
  award_name: "Prize",
  award_price: "Amount",
  weight: "Weight",
  award_total: "Total",
  floors: "Guaranteed",
  odds: "Odds",
  cell: "Row {row}: {column}",
  remove: "Remove row {row}",
  total: "{prizes} prizes, weights add up to {weight}",
  total_one: "One prize, weight {weight}",
  incomplete: "Odds and costs are shown once each row has an amount, a weight and a total",
  faults: "The {count} marked cells need a change",
  faults_one: "The marked cell needs a change",
  average: "Average per draw",
  exposure: "Most that is left to pay",
};

export const GRID_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    grid: typeof zh;
  }
}
