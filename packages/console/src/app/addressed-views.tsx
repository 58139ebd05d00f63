/** Shows the player view or the change history that the address names, above the open page. */
import { useState } from "react";
import { useAddressed } from "#forms/addressed.ts";
import { LoadFailedDialog } from "#forms/load-failed-dialog.tsx";
import { LoadFailedNote, lazyPart } from "#lib/lazy-part.tsx";
import { SHELL_SEARCH, usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";

const PlayerDrawer = lazyPart(
  async () => (await import("#support/player-drawer.tsx")).PlayerDrawer,
  (props) => <LoadFailedDialog {...props} open={props.name !== null} />,
);

const ChangesDialog = lazyPart(
  async () => (await import("#evidence/object-changes.tsx")).ChangesDialog,
  LoadFailedDialog,
);

const ObjectChanges = lazyPart(
  async () => (await import("#evidence/object-changes.tsx")).ObjectChanges,
  LoadFailedNote,
);

const CLOSED = { player: undefined, player_tab: undefined, player_round: undefined };

export function PlayerView() {
  const mayRead = useMay("player.read");
  const mayAudit = useMay("audit.read");
  const [{ player }, change] = usePageSearch(SHELL_SEARCH);
  const [wanted, setWanted] = useState(false);
  if (player !== undefined && !wanted) {
    setWanted(true);
  }
  const close = () => change(CLOSED, { replace: true });
  useAddressed(player !== undefined, mayRead, close);
  if (!mayRead || !wanted) {
    return null;
  }
  return (
    <PlayerDrawer
      name={player ?? null}
      onClose={close}
      changesOf={mayAudit ? (name) => <ObjectChanges type="player" id={name} /> : undefined}
    />
  );
}

export function ChangesView() {
  const mayRead = useMay("audit.read");
  const [{ changes }, change] = usePageSearch(SHELL_SEARCH);
  const close = () => change({ changes: undefined }, { replace: true });
  useAddressed(changes !== undefined, mayRead, close);
  return mayRead && changes !== undefined && <ChangesDialog of={changes} onClose={close} />;
}
