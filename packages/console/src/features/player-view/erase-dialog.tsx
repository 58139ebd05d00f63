/** Erases the open player, whose account is typed and confirmed by a one-time code (behaviour §3). */
import { Input } from "antd";
import type { InputRef } from "antd";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { SUCCESS } from "@red/contract/envelope";
import { erasureRoutes } from "@red/contract/erasure";
import { exclusionRoutes } from "@red/contract/exclusion";
import { extraTimesRoutes } from "@red/contract/extra-times";
import { recordRoutes } from "@red/contract/record";
import { CodeDialog } from "#forms/code-dialog.tsx";
import { exchange } from "#lib/api.ts";
import { refresh } from "#lib/query.ts";
import { useToast } from "#ui/toast.tsx";

interface EraseDialogProps {
  user_name: string;
  onErased: () => void;
  onClose: () => void;
}

export function EraseDialog({ user_name, onErased, onClose }: EraseDialogProps) {
  const { t } = useTranslation("player_view");
  const toast = useToast();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const input = useRef<InputRef>(null);
  const isErased = useRef(false);

  const check = () => {
    const isRight = typed.trim() === user_name;
    setWrong(!isRight);
    if (!isRight) {
      input.current?.focus();
    }
    return isRight;
  };
  const onCode = async (code: string) => {
    const answer = await exchange(erasureRoutes.erase, { body: { user_name, code } });
    if (answer.code !== SUCCESS) {
      return answer.msg;
    }
    isErased.current = true;
    toast.success(answer.msg);
    await refresh(recordRoutes.list, extraTimesRoutes.list, exclusionRoutes.list);
    return null;
  };
  return (
    <CodeDialog
      title={t("erase_title", { name: user_name })}
      okText={t("erase")}
      onCode={onCode}
      onClose={() => (isErased.current ? onErased() : onClose())}
      danger
      first={{ input, check }}
    >
      <p>{t("erase_content")}</p>
      <div className="p-erase">
        <label htmlFor={id}>{t("erase_account", { name: user_name })}</label>
        <Input
          ref={input}
          id={id}
          size="large"
          autoComplete="off"
          value={typed}
          {...(isWrong && { status: "error" as const })}
          aria-invalid={isWrong}
          aria-describedby={`${id}-message`}
          onChange={(event) => {
            setTyped(event.target.value);
            setWrong(false);
          }}
        />
        {isWrong && (
          <p id={`${id}-message`} className="d-code-fault" role="alert">
            {t("erase_mismatch")}
          </p>
        )}
      </div>
    </CodeDialog>
  );
}
