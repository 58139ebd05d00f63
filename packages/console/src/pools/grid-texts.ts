import { catalogue } from "@red/contract/platform/catalogue";

export const GRID_TEXTS = catalogue({
  new_pool: ["新建奖池", "New pool"],
  create: ["创建奖池", "Create pool"],
  edit_title: ["表格编辑「{name}」", "Edit {name} as a table"],
  pool_name: ["新奖池的名称", "Name of the new pool"],
  pool_word: ["奖池", "pool"],
  hint: [
    "可从电子表格复制后粘贴，带表头时列的顺序不限。实物的额度填 0 或“实物”。回车到下一行；空行不保存；全部保存或全部不保存。",
    "Paste from a spreadsheet; with headers, columns may be in any order. Goods have the amount 0, or “goods”. Enter goes to the next row. Empty rows are left out. All rows are saved, or none.",
  ],
  table: ["奖品表格", "Prizes as a table"],
  award_name: ["奖品", "Prize"],
  award_price: ["额度", "Amount"],
  weight: ["权重", "Weight"],
  award_total: ["总数", "Total"],
  floors: ["保底", "Guaranteed"],
  odds: ["中奖率", "Odds"],
  cell: ["第 {row} 行{column}", "Row {row}: {column}"],
  remove: ["移除第 {row} 行", "Remove row {row}"],
  total: [
    "{prizes} 种奖品，权重合计 {weight}",
    "{prizes} prizes, weights add up to {weight}",
    "One prize, weight {weight}",
  ],
  incomplete: [
    "填完每行的额度、权重和总数后显示中奖率和支出",
    "Odds and costs are shown once each row has an amount, a weight and a total",
  ],
  faults: [
    "标出的 {count} 格需要修改",
    "The {count} marked cells need a change",
    "The marked cell needs a change",
  ],
  average: ["单抽期望", "Average per draw"],
  exposure: ["剩余最大支出", "Most that is left to pay"],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    grid: typeof GRID_TEXTS.zh;
  }
}
