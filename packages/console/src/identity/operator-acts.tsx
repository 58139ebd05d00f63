/** Acts on operators, keys and the own account. Each act asks the operator first, then loads the lists again. */
import { useTranslation } from "react-i18next";
import type { Data, Route } from "@red/contract/platform/route";
import { useAct } from "#forms/act.ts";
import type { ActOptions } from "#forms/act.ts";
import type { Change, CodeRoute } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
import type { Words } from "#lib/proof.ts";
import { useConfirm } from "#ui/confirm.tsx";
import { useOpened } from "#ui/opened.tsx";
import { OPERATOR_TEXTS } from "./operator-texts.ts";
import type { Verb } from "./operator-texts.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import type { Secret } from "./secret-dialog.tsx";
import "./operator.css";

addTexts("operator", OPERATOR_TEXTS);

/** An act, with the name of the operator or key that the act changes. */
interface Of {
  readonly verb: Verb;
  readonly name?: string;
  /** The time that the hint shows. */
  readonly at?: string;
}

export const DANGERS: ReadonlySet<Verb> = new Set([
  "new_password",
  "let_go",
  "disable",
  "end_session",
  "end_all",
  "end_others",
  "rotate_again",
  "retire",
  "revoke",
]);

/** Loads `lists` again after each act. The caller must render `secrets`. */
export function useActs(...lists: readonly Route[]) {
  const { t } = useTranslation("operator");
  const { act, send } = useAct(...lists);
  const confirm = useConfirm();
  const secret = useOpened<Secret>();
  const wordsOf = ({ verb, name = "", at = "" }: Of): Words => ({
    title: name === "" ? t(verb) : t("of", { what: t(verb), name }),
    okText: t(verb),
    danger: DANGERS.has(verb),
    content: t(`${verb}_hint`, { name, at }),
  });
  return {
    send,
    /** Asks for the code in a dialog with the words of the act. If `done` is given, no toast appears. */
    ask: <C extends Change<CodeRoute>>(
      of: Of,
      change: C,
      done?: (data: Data<C["route"]>) => void,
    ) => {
      const options = { words: wordsOf(of), text: done && null, done };
      // Every `CodeRoute` accepts `words`.
      return act(change, options as ActOptions<C["route"]>);
    },
    show: secret.open,
    confirmed: async (of: Of, change: Change) => {
      if (await confirm(wordsOf(of))) {
        await act(change);
      }
    },
    secrets: secret.show((one) => <SecretDialog secret={one} onClose={secret.close} />),
  };
}

export type Acts = ReturnType<typeof useActs>;
