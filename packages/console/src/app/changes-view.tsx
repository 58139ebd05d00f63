import { useAddressed } from "#forms/addressed.ts";
import { LoadFailedDialog } from "#forms/load-failed-dialog.tsx";
import { lazyPart } from "#lib/lazy-part.tsx";
import { SHELL_SEARCH, usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";

const ChangesDialog = lazyPart(
  async () => (await import("#evidence/object-changes.tsx")).ChangesDialog,
  LoadFailedDialog,
);

/** The changes of the object in the address, over any page. */
export function ChangesView() {
  const mayRead = useMay("audit.read");
  const [{ changes }, change] = usePageSearch(SHELL_SEARCH);
  const close = () => change({ changes: undefined }, { replace: true });
  useAddressed(changes !== undefined, mayRead, close);
  return mayRead && changes !== undefined && <ChangesDialog of={changes} onClose={close} />;
}
