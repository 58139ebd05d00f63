/** Imports prizes from a file: choose, preview, import (behaviour §12). */
import { useMutation } from "@tanstack/react-query";
import { Alert } from "antd";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { PRIZE_FILE_LABELS, prizeRoutes } from "@red/contract/pools/prize";
import { useAct } from "#forms/act.ts";
import { FilePicker } from "#forms/file-picker.tsx";
import { SavingFooter, useSaving } from "#forms/saving.tsx";
import { Valued, ValuedMark } from "#forms/valued.tsx";
import { changeByFile, isWaiting, upload } from "#lib/api.ts";
import { DIALOG_WIDTH, LargeDialog } from "#ui/dialog.tsx";
import { ImportFaults } from "./import-faults.tsx";
import { ImportChanges } from "./import-changes.tsx";
import { PRIZE_LISTS } from "./prize-lists.ts";

/** The dialog names the pool. */
const { pool_name: _, ...COLUMNS } = PRIZE_FILE_LABELS;
const LABELS = Object.values(COLUMNS);

/** An empty file with the headers, marked as UTF-8 for spreadsheets. */
const TEMPLATE = `data:text/csv;charset=utf-8,%EF%BB%BF${encodeURIComponent(
  `${LABELS.join(",")}\r\n`,
)}`;

interface ImportDialogProps {
  /** Pool of rows that name none. */
  pool_name: string;
  onClose: () => void;
}

/* A copy of the checked bytes: the file on disk may change before the import. */
async function copyOf(file: File): Promise<File> {
  return new File([await file.arrayBuffer()], file.name, { type: file.type });
}

function useImport({ pool_name, onClose }: ImportDialogProps) {
  const { act } = useAct(...PRIZE_LISTS);
  const checking = useMutation({
    mutationFn: (file: File) => upload(prizeRoutes.previewImport, file, { pool_name }),
  });
  const [isCopying, setCopying] = useState(false);
  const { busy: isSaving, run, close, leave } = useSaving(onClose);
  // No preview while loading, and when the whole file was refused.
  const { variables: file, data: preview = null, error } = checking;
  const chosen = file === undefined ? null : { file, preview, refused: error?.message ?? null };

  const choose = async (picked: File) => {
    setCopying(true);
    try {
      checking.mutate(await copyOf(picked));
    } finally {
      setCopying(false);
    }
  };

  const save = async (file: File, plan: string) => {
    // `plan` is the preview shown: the server refuses an import that would do something else.
    const change = changeByFile(prizeRoutes.importFile, file, { pool_name, plan });
    const saved = await run(() => act(change, { close }));
    if (!saved.ok && !isWaiting(saved.error)) {
      // The pools may have changed since the check: show what the import would do now.
      checking.mutate(file);
    }
  };

  const isChecking = isCopying || checking.isPending;
  return { chosen, isChecking, isSaving, choose, save, leave };
}

export function ImportDialog(props: ImportDialogProps) {
  const { t } = useTranslation("prize");
  const { chosen, isChecking, isSaving, choose, save, leave } = useImport(props);
  const content = useRef<HTMLDivElement>(null);
  const preview = chosen?.preview ?? null;
  const isClean = preview !== null && preview.errors.length === 0;
  const change =
    chosen !== null && isClean
      ? changeByFile(prizeRoutes.importFile, chosen.file, {
          pool_name: props.pool_name,
          plan: preview.plan,
        })
      : null;
  return (
    <LargeDialog
      title={t("bulk_import")}
      width={DIALOG_WIDTH.table}
      onOpened={() => content.current?.querySelector("button")?.focus()}
      onCancel={() => void leave()}
      mask={{ closable: false }}
      footer={
        <SavingFooter
          busy={isSaving}
          okText={
            <>
              {t("import_save")}
              <ValuedMark change={change} />
            </>
          }
          disabled={!isClean}
          onSave={() => chosen !== null && isClean && void save(chosen.file, preview.plan)}
          onLeave={leave}
        />
      }
    >
      <div ref={content} className="p-import">
        <p className="k-note">
          {t("import_hint")}{" "}
          <a href={TEMPLATE} download={t("import_template_file")}>
            {t("import_template")}
          </a>
        </p>
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
        <Valued change={change} />
        {preview !== null &&
          (isClean ? (
            <ImportChanges preview={preview} />
          ) : (
            <ImportFaults faults={preview.errors} />
          ))}
      </div>
    </LargeDialog>
  );
}
