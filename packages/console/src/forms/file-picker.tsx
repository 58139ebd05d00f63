/** Lets the operator choose one spreadsheet file with a button or by dropping the file. */
import { UploadOutlined } from "@ant-design/icons";
import type { ReactNode } from "react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { UPLOAD_BYTES_MAX } from "@red/contract/platform/limits";
import { BusyButton } from "#ui/busy-button.tsx";
import { useToast } from "#ui/toast.tsx";
import "./file-picker.css";

const TABLES: readonly string[] = [".xlsx", ".xls", ".csv"];

/** Returns why the file is not accepted, by its name and size (spec §5). */
export function faultOfFile(
  { name, size }: Pick<File, "name" | "size">,
  endings = TABLES,
): "upload_type" | "upload_too_large" | null {
  if (!endings.some((ending) => name.toLowerCase().endsWith(ending))) {
    return "upload_type";
  }
  return size < UPLOAD_BYTES_MAX ? null : "upload_too_large";
}

interface FilePickerProps {
  label: string;
  text: string;
  /** Accepted file endings in lower case. By default only spreadsheets are accepted. */
  endings?: readonly string[];
  /** Prevents the choice of another file while the current file is being saved. */
  busy?: boolean;
  className?: string;
  onPick: (file: File) => void;
  children?: ReactNode;
}

export function FilePicker(props: FilePickerProps) {
  const { label, text, endings = TABLES, busy = false, className = "", onPick, children } = props;
  const { t } = useTranslation("contract");
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);
  const pick = (files: FileList | null) => {
    const file = files?.item(0) ?? null;
    if (file === null || busy) {
      return;
    }
    const fault = faultOfFile(file, endings);
    // Moves the focus to the button, because the chosen file may replace the field that had the focus.
    input.current?.parentElement?.querySelector("button")?.focus();
    if (fault === null) {
      onPick(file);
    } else {
      toast.error(t(fault));
    }
  };
  return (
    <div
      className={`d-file ${className}`}
      onDragOver={(event) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = busy ? "none" : "copy";
      }}
      onDrop={(event) => {
        event.preventDefault();
        pick(event.dataTransfer.files);
      }}
    >
      <input
        ref={input}
        type="file"
        hidden
        accept={endings.join(",")}
        aria-label={label}
        onChange={(event) => {
          pick(event.target.files);
          // Clears the input, so that the operator can choose the same file again after a correction.
          event.target.value = "";
        }}
      />
      <BusyButton
        icon={<UploadOutlined aria-hidden="true" />}
        busy={busy}
        onClick={() => input.current?.click()}
      >
        {text}
      </BusyButton>
      {children}
    </div>
  );
}
