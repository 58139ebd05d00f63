/** Imports prizes from a file: choose, preview, import (behaviour §12). */
import { Alert, Button } from "antd";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { prizeRoutes } from "@red/contract/prize";
import type { ImportPreview } from "@red/contract/prize";
import { FilePicker } from "#forms/file-picker.tsx";
import { SavingNote, useSaving } from "#forms/saving.tsx";
import { settled, upload } from "#lib/api.ts";
import { BusyButton } from "#ui/busy-button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { DIALOG_WIDTH } from "#ui/dialog-width.ts";
import { useIsMobile } from "#ui/media.ts";
import { useToast } from "#ui/toast.tsx";
import { ImportFaults } from "./import-faults.tsx";
import { ImportChanges } from "./import-changes.tsx";
import { refreshPrizes } from "./refresh-prizes.ts";

interface ImportDialogProps {
  /** Pool of rows that name none. */
  pool_name: string;
  onClose: () => void;
}

interface Chosen {
  readonly file: File;
  /** Null while loading, and when the whole file was refused. */
  readonly preview: ImportPreview | null;
  readonly refused: string | null;
}

/* A copy of the checked bytes: the file on disk may change before the import. */
async function copyOf(file: File): Promise<File> {
  return new File([await file.arrayBuffer()], file.name, { type: file.type });
}

/** `plan` is the preview shown; the server refuses an import that would do something else. */
function formOf(file: File, pool_name: string, plan: string | null): FormData {
  const form = new FormData();
  form.set("pool_name", pool_name);
  if (plan !== null) {
    form.set("plan", plan);
  }
  form.set("poolFile", file);
  return form;
}

function useImport({ pool_name, onClose }: ImportDialogProps) {
  const { t } = useTranslation(["prize", "contract"]);
  const toast = useToast();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [isChecking, setChecking] = useState(false);
  const { busy: isSaving, run, mayLeave, close } = useSaving(onClose);

  const check = async (file: File) => {
    setChecking(true);
    setChosen({ file, preview: null, refused: null });
    const checked = await settled(upload(prizeRoutes.previewImport, formOf(file, pool_name, null)));
    setChecking(false);
    setChosen(
      checked.ok
        ? { file, preview: checked.data, refused: null }
        : { file, preview: null, refused: checked.error.message },
    );
  };

  const choose = async (picked: File) => {
    setChecking(true);
    await check(await copyOf(picked).finally(() => setChecking(false)));
  };

  const save = async (file: File, plan: string) => {
    const form = formOf(file, pool_name, plan);
    const saved = await run(() => settled(upload(prizeRoutes.importFile, form)));
    if (saved.ok) {
      toast.success(t("contract:added"));
      close();
      await refreshPrizes();
    } else {
      // The pools may have changed since the check: show what the import would do now.
      await check(file);
    }
  };

  const leave = async () => {
    if (await mayLeave()) {
      close();
    }
  };

  return { chosen, isChecking, isSaving, choose, save, leave };
}

export function ImportDialog(props: ImportDialogProps) {
  const { t } = useTranslation(["prize", "ui"]);
  const isMobile = useIsMobile();
  const { chosen, isChecking, isSaving, choose, save, leave } = useImport(props);
  const content = useRef<HTMLDivElement>(null);
  const preview = chosen?.preview ?? null;
  const isClean = preview !== null && preview.errors.length === 0;
  return (
    <Dialog
      open
      title={t("bulk_import")}
      width={isMobile ? "100%" : DIALOG_WIDTH.table}
      className={isMobile ? "k-dialog k-dialog-full" : "k-dialog"}
      onCancel={() => void leave()}
      mask={{ closable: false }}
      afterOpenChange={(open) => {
        if (open) {
          content.current?.querySelector("button")?.focus();
        }
      }}
      footer={
        <>
          <SavingNote busy={isSaving} />
          <Button onClick={() => void leave()}>{t("ui:cancel")}</Button>
          <BusyButton
            type="primary"
            disabled={!isClean}
            busy={isSaving}
            onClick={() => chosen !== null && isClean && void save(chosen.file, preview.plan)}
          >
            {t("import_save")}
          </BusyButton>
        </>
      }
    >
      <div ref={content} className="p-import">
        <p className="k-note">{t("import_hint")}</p>
        <FilePicker
          label={t("import_choose")}
          text={t(chosen === null ? "import_choose" : "import_other")}
          busy={isChecking || isSaving}
          className="p-drop"
          onPick={(file) => void choose(file)}
        />
        {chosen !== null && (
          <p role="status">
            {isChecking
              ? t("import_checking", { name: chosen.file.name })
              : t("import_file", { name: chosen.file.name })}
          </p>
        )}
        {chosen?.refused !== null && chosen?.refused !== undefined && (
          <Alert type="error" showIcon title={t("import_failed")} description={chosen.refused} />
        )}
        {preview !== null &&
          (isClean ? (
            <ImportChanges preview={preview} />
          ) : (
            <ImportFaults faults={preview.errors} />
          ))}
      </div>
    </Dialog>
  );
}
