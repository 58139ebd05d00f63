/** The player that the address names, over whatever page is open; loaded when first asked for. */
import { Suspense, lazy, useState } from "react";
import { useShellSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";

const PlayerDrawer = lazy(async () => {
  const module = await import("#features/player-view/player-drawer.tsx");
  return { default: module.PlayerDrawer };
});

const CLOSED = { player: undefined, player_tab: undefined, player_round: undefined };

export function PlayerView() {
  const mayRead = useMay("player.read");
  const [{ player }, change] = useShellSearch();
  const [wanted, setWanted] = useState(false);
  if (player !== undefined && !wanted) {
    setWanted(true);
  }
  if (!mayRead || !wanted) {
    return null;
  }
  return (
    <Suspense>
      <PlayerDrawer name={player ?? null} onClose={() => change(CLOSED, { replace: true })} />
    </Suspense>
  );
}
