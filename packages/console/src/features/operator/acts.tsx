/** What is done to operators, keys and one's own account: asked, sent, told, and the lists loaded anew. */
import { useTranslation } from "react-i18next";
import type { Envelope } from "@red/contract/envelope";
import type { Route } from "@red/contract/route";
import { settled } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
import type { Words } from "#lib/proof.ts";
import { refresh } from "#lib/query.ts";
import { useConfirm } from "#ui/confirm.tsx";
import { useOpened } from "#ui/opened.tsx";
import { useToast } from "#ui/toast.tsx";
import { OPERATOR_TEXTS } from "./operator-texts.ts";
import type { Verb } from "./operator-texts.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import type { Secret } from "./secret-dialog.tsx";
import "./operator.css";

addTexts("operator", OPERATOR_TEXTS);

/** An act, and to whom or what. */
interface Of {
  readonly verb: Verb;
  readonly name?: string;
  /** The time that the hint tells. */
  readonly at?: string;
}

/** With what the call answered; a toast tells it if not given. */
type Done<D> = (data: D) => unknown;

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

/** Render `secrets`. The lists are loaded anew after each act. */
export function useActs(...lists: readonly Route[]) {
  const { t } = useTranslation("operator");
  const toast = useToast();
  const confirm = useConfirm();
  const secret = useOpened<Secret>();
  const wordsOf = ({ verb, name = "", at = "" }: Of): Words => ({
    title: name === "" ? t(verb) : t("of", { what: t(verb), name }),
    okText: t(verb),
    danger: DANGERS.has(verb),
    content: t(`${verb}_hint`, { name, at }),
  });

  /** Rejects with the call's error. */
  const done = async <D,>(sending: Promise<Envelope<D>>, then?: Done<D>) => {
    try {
      const { data, msg } = await sending;
      if (then === undefined) {
        toast.success(msg);
      } else {
        then(data);
      }
    } finally {
      void refresh(...lists);
    }
  };
  /** Sends at once: what takes a code is done when that is right. */
  const run = async <D,>(sending: Promise<Envelope<D>>, then?: Done<D>) => {
    await settled(done(sending, then));
  };
  return {
    done,
    run,
    /** Asks for the code in the act's words. */
    ask: <D,>(of: Of, send: (asked: { words: Words }) => Promise<Envelope<D>>, then?: Done<D>) =>
      run(send({ words: wordsOf(of) }), then),
    show: secret.open,
    confirmed: async (of: Of, send: () => Promise<Envelope<unknown>>) => {
      if (await confirm(wordsOf(of))) {
        await run(send());
      }
    },
    secrets: secret.show((one) => <SecretDialog secret={one} onClose={secret.close} />),
  };
}

export type Acts = ReturnType<typeof useActs>;
