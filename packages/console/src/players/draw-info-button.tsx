/** Opens Dialog A (spec §2). */
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { LoadFailedDialog } from "#forms/load-failed-dialog.tsx";
import { addTexts } from "#lib/language.ts";
import { lazyPart } from "#lib/lazy-part.tsx";
import { searchOf, usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { PLAYER_TEXTS } from "./player-texts.ts";

addTexts("player", PLAYER_TEXTS);

const DrawInfoDialog = lazyPart(
  async () => (await import("./draw-info-dialog.tsx")).DrawInfoDialog,
  LoadFailedDialog,
);

const DIALOG = searchOf(["dialog"]);

/** Value of the address field `dialog` while Dialog A is open. */
const DRAWS = "draws";

export function DrawInfoButton({ account }: { account?: string | undefined }) {
  const { t } = useTranslation("player");
  const mayRead = useMay("player.read");
  const [search, setSearch] = usePageSearch(DIALOG);
  return (
    <>
      <Button {...permissionProps(mayRead)} onClick={() => setSearch({ dialog: DRAWS })}>
        {t("draws_title")}
      </Button>
      {mayRead && search.dialog === DRAWS && (
        <DrawInfoDialog
          account={account}
          onClose={() => setSearch({ dialog: undefined }, { replace: true })}
        />
      )}
    </>
  );
}
