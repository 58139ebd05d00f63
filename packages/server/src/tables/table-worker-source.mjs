/**
 * Starts the reading thread from its source; a thread does not inherit the loader of its parent. Tests name the built
 * thread in TABLE_WORKER: to load the source takes longer than to read most files.
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
