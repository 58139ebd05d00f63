/**
 * Starts the reading thread from its source, because a thread does not inherit the loader of its parent. Tests put the
 * path of the built thread into TABLE_WORKER: loading the source takes longer than reading most files.
 */
// oxlint-disable-next-line node/no-process-env -- No configuration of the product: only tests set it.
const built = process.env.TABLE_WORKER;
if (built === undefined) {
  const { register } = await import("tsx/esm/api");
  register();
  await import("./table-worker.ts");
} else {
  await import(built);
}
