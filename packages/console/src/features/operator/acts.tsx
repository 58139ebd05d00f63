/** What is done to operators, keys and one's own account: asked, sent, told, and the lists loaded anew. */
import { useTranslation } from "react-i18next";
import type { Envelope } from "@red/contract/envelope";
import type { Route } from "@red/contract/route";
import { LOGIN_CODES } from "@red/contract/session";
import { CodeDialog } from "#forms/code-dialog.tsx";
import { settled } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
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

/** With what the call answered once the code was right; a toast tells it if not given. */
type Done<D> = (data: D) => unknown;

interface Asked {
  readonly title: string;
  readonly okText: string;
  readonly danger: boolean;
  readonly content: string;
  readonly noRecovery: boolean;
  readonly onCode: (code: string) => Promise<string | null>;
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

/** Render `dialogs`. The lists are loaded anew after each act. */
export function useActs(...lists: readonly Route[]) {
  const { t } = useTranslation("operator");
  const toast = useToast();
  const confirm = useConfirm();
  const wordsOf = ({ verb, name = "", at = "" }: Of) => ({
    title: name === "" ? t(verb) : t("of", { what: t(verb), name }),
    okText: t(verb),
    danger: DANGERS.has(verb),
    content: t(`${verb}_hint`, { name, at }),
  });
  const asked = useOpened<Asked>();
  const secret = useOpened<Secret>();

  /** Sends at once. */
  const run = async (sending: Promise<Envelope<unknown>>) => {
    const sent = await settled(sending);
    if (sent.ok) {
      toast.success(sent.data.msg);
    }
    await refresh(...lists);
  };
  /** A call with a code; resolves to what is wrong with that, or null. */
  const sendCoded = async <D,>(sending: Promise<Envelope<D>>, done?: Done<D>) => {
    const { code, data, msg } = await sending;
    if (code === LOGIN_CODES.code_wanted) {
      return msg;
    }
    void refresh(...lists);
    if (done === undefined) {
      toast.success(msg);
    } else {
      done(data);
    }
    return null;
  };
  return {
    run,
    sendCoded,
    show: secret.open,
    confirmed: async (of: Of, send: () => Promise<Envelope<unknown>>) => {
      if (await confirm(wordsOf(of))) {
        await run(send());
      }
    },
    ask: <D,>(of: Of, send: (code: string) => Promise<Envelope<D>>, done?: Done<D>) => {
      const onCode = (code: string) => sendCoded(send(code), done);
      asked.open({ ...wordsOf(of), noRecovery: of.verb === "recovery_make", onCode });
    },
    dialogs: (
      <>
        {asked.show((one) => (
          <CodeDialog {...one} onClose={asked.close}>
            <p>{one.content}</p>
          </CodeDialog>
        ))}
        {secret.show((one) => (
          <SecretDialog secret={one} onClose={secret.close} />
        ))}
      </>
    ),
  };
}

export type Acts = ReturnType<typeof useActs>;
