/** Imports prizes from a file. The operator chooses a file, checks the preview, then imports (behaviour §12). */
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

/** All columns except the pool name, because the dialog already names the pool. */
const { pool_name: _, ...COLUMNS } = PRIZE_FILE_LABELS;
const LABELS = Object.values(COLUMNS);

/** An empty file with the headers. The byte order mark tells spreadsheets that the file is UTF-8. */
const TEMPLATE = `data:text/csv;charset=utf-8,%EF%BB%BF${encodeURIComponent(
  `${LABELS.join(",")}\r\n`,
)}`;

interface ImportDialogProps {
  /** Pool for the rows that have no pool name. */
  pool_name: string;
  onClose: () => void;
}

/* Copies the checked bytes, because the file on disk may change before the import. */
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
  // There is no preview while the file loads or after the server rejected the whole file.
  const { variables: file, data: preview, error } = checking;

  const choose = async (picked: File) => {
    setCopying(true);
    try {
      checking.mutate(await copyOf(picked));
    } finally {
      setCopying(false);
    }
  };

  // `plan` identifies the shown preview. The server rejects an import that would do something else.
  const changeOf = (checked: File, plan: string) =>
    changeByFile(prizeRoutes.importFile, checked, { pool_name, plan });

  const save = async (checked: File, plan: string) => {
    const saved = await run(() => act(changeOf(checked, plan), { close }));
    if (!saved.ok && !isWaiting(saved.error)) {
      // The pools may have changed since the check, so show what the import would do now.
      checking.mutate(checked);
    }
  };

  const isChecking = isCopying || checking.isPending;
  return { file, preview, error, isChecking, isSaving, choose, changeOf, save, leave };
}

export function ImportDialog(props: ImportDialogProps) {
  const { t } = useTranslation("prize");
  const { file, preview, error, isChecking, isSaving, ...acts } = useImport(props);
  const content = useRef<HTMLDivElement>(null);
  const plan = preview?.errors.length === 0 ? preview.plan : undefined;
  const isClean = file !== undefined && plan !== undefined;
  const change = isClean ? acts.changeOf(file, plan) : null;
  return (
    <LargeDialog
      title={t("bulk_import")}
      width={DIALOG_WIDTH.table}
      onOpened={() => content.current?.querySelector("button")?.focus()}
      onCancel={() => void acts.leave()}
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
          onSave={() => isClean && void acts.save(file, plan)}
          onLeave={acts.leave}
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
          text={t(file === undefined ? "import_choose" : "import_other")}
          busy={isChecking || isSaving}
          className="p-drop"
          onPick={(picked) => void acts.choose(picked)}
        />
        {file && (
          <p role="status">
            {t(isChecking ? "import_checking" : "import_file", { name: file.name })}
          </p>
        )}
        {error && (
          <Alert type="error" showIcon title={t("import_failed")} description={error.message} />
        )}
        <Valued change={change} />
        {preview &&
          (isClean ? (
            <ImportChanges preview={preview} />
          ) : (
            <ImportFaults faults={preview.errors} />
          ))}
      </div>
    </LargeDialog>
  );
}
