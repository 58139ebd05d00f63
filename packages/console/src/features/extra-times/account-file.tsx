/** Reads the accounts of a file into the list. */
import { UploadOutlined } from "@ant-design/icons";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { extraTimesRoutes } from "@red/contract/extra-times";
import { settled, upload } from "#lib/api.ts";
import { BusyButton } from "#ui/busy-button.tsx";

export function AccountFile({ onRead }: { onRead: (lines: readonly string[]) => void }) {
  const { t } = useTranslation("extra_times");
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);

  const read = async (file: File) => {
    const form = new FormData();
    form.set("poolFile", file);
    setBusy(true);
    const answer = await settled(upload(extraTimesRoutes.accounts, form));
    setBusy(false);
    if (answer.ok) {
      onRead(answer.data.lines);
    }
  };

  return (
    <div className="x-file">
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,.xlsx,.xls"
        aria-label={t("grant_file")}
        onChange={(event) => {
          const file = event.target.files?.item(0) ?? null;
          if (file !== null) {
            void read(file);
          }
          // The same file, mended, is chosen again.
          event.target.value = "";
        }}
      />
      <BusyButton
        icon={<UploadOutlined aria-hidden="true" />}
        busy={busy}
        onClick={() => input.current?.click()}
      >
        {t("grant_file")}
      </BusyButton>
      <span className="k-note">{t("grant_file_hint")}</span>
    </div>
  );
}
