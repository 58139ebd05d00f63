import { useAddressed } from "#forms/addressed.ts";
import { LostDialog } from "#forms/lost-dialog.tsx";
import { part } from "#lib/part.tsx";
import { SHELL_SEARCH, usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";

const ChangesDialog = part(
  async () => (await import("#evidence/object-changes.tsx")).ChangesDialog,
  LostDialog,
);

/** The changes of the object in the address, over any page. */
export function ChangesView() {
  const mayRead = useMay("audit.read");
  const [{ changes }, change] = usePageSearch(SHELL_SEARCH);
  const close = () => change({ changes: undefined }, { replace: true });
  useAddressed(changes !== undefined, mayRead, close);
  return mayRead && changes !== undefined && <ChangesDialog of={changes} onClose={close} />;
}
