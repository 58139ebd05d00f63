/** The same acts on both pages, in turn, each timed in the page from the click to the paint of its end. */
import type { Page } from "@playwright/test";

/** Rounds per group, and so per filter: a full page. */
export const GROUP_SIZE = 20;

export function groupName(group: number): string {
  return `g${String(group).padStart(3, "0")}`;
}

const ROWS = "tbody tr.ant-table-row";
/** Number of the current page; the console has its own pager. */
const SHOWN = ".ant-pagination-item-active";
const NEXT = ".ant-pagination-next button";

/* Clicks `target`, then waits for `done`, checked in every frame and after every change, and for its paint. Milliseconds. */
const TIMED = `async (target, done) => {
  const begun = performance.now();
  target().click();
  await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("its end was not seen: " + done)), 30_000);
    const look = () => {
      if (done()) {
        clearTimeout(late);
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(resolve));
        return true;
      }
      return false;
    };
    const watch = new MutationObserver(look);
    watch.observe(document.body, { subtree: true, childList: true, attributes: true });
    const frame = () => look() || requestAnimationFrame(frame);
    requestAnimationFrame(frame);
  });
  return performance.now() - begun;
}`;

const BUTTON = `(within, name) => [...document.querySelectorAll(within + " button")]
  .find((button) => button.textContent.trim() === name)`;

/** Pause before each act, so that late work of one page does not count as the other's. */
const PAUSE_MS = 150;
const AT_REST = `new Promise((resolve) => {
  setTimeout(() => requestIdleCallback(resolve, { timeout: 5_000 }), ${PAUSE_MS});
})`;

async function timed(page: Page, target: string, done: string): Promise<number> {
  await page.bringToFront();
  await page.evaluate(AT_REST);
  const script = `(async () => {
    const button = ${BUTTON};
    return await (${TIMED})(() => ${target}, () => ${done});
  })()`;
  return Number(await page.evaluate(script));
}

/** Filters by a new group, until only its rows are shown. */
async function filter(page: Page, group: number): Promise<number> {
  const name = groupName(group);
  await page.getByRole("search").getByLabel("活动名称").fill(name);
  return await timed(
    page,
    `button("[role=search]", "查询")`,
    `(() => {
      const rows = [...document.querySelectorAll("${ROWS}")];
      return rows.length === ${GROUP_SIZE} && rows.every((row) => row.textContent.includes("${name} "));
    })()`,
  );
}

/** Opens the next page of the whole list, until its number and rows are shown. */
async function turn(page: Page): Promise<number> {
  const [number = "1"] = await page.locator(SHOWN).allInnerTexts();
  const first = await page.locator(ROWS).first().getAttribute("data-row-key");
  return await timed(
    page,
    `document.querySelector("${NEXT}")`,
    `(() => {
      const rows = document.querySelectorAll("${ROWS}");
      const active = document.querySelector("${SHOWN}");
      return rows.length === ${GROUP_SIZE} && rows[0].dataset.rowKey !== "${first}" &&
        active !== null && active.textContent.trim() === "${Number(number) + 1}";
    })()`,
  );
}

/** Opens the editor of the first row, until its fields are filled. */
async function open(page: Page): Promise<number> {
  const ms = await timed(
    page,
    `button("${ROWS}", "编辑")`,
    `(() => {
      const dialog = document.querySelector("[role=dialog]");
      const inputs = [...(dialog?.querySelectorAll("input") ?? [])];
      const filled = (end) =>
        inputs.some((input) => input.id.endsWith(end) && input.value !== "" &&
          input.getClientRects().length > 0);
      return filled("rounds_name") && filled("condition_value") && filled("end_time");
    })()`,
  );
  await page.getByRole("dialog").getByRole("button", { name: "取消" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  return ms;
}

/** Acts on both pages; `run` counts the repetitions. Each answers milliseconds. */
export const ACTS: Readonly<Record<string, (page: Page, run: number) => Promise<number>>> = {
  filter,
  turn,
  open,
};

/** Removes the filter, before pages are turned. */
export async function showAll(page: Page): Promise<void> {
  await page.getByRole("search").getByLabel("活动名称").fill("");
  await timed(
    page,
    `button("[role=search]", "查询")`,
    `Number(document.querySelector("${SHOWN}")?.textContent) === 1 &&
      document.querySelector("${NEXT}")?.disabled === false`,
  );
}
