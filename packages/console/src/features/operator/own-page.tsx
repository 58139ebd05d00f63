/** What operators change of their own: password, authenticator, recovery codes, sessions (behaviour §9). */
import { useQuery } from "@tanstack/react-query";
import { Button, Input } from "antd";
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ownRoutes } from "@red/contract/operators";
import type { Data } from "@red/contract/route";
import { CodeDialog } from "#forms/code-dialog.tsx";
import { call, exchange } from "#lib/api.ts";
import { queryOf } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { wholeList } from "#ui/list-state.ts";
import { NotLoaded } from "#ui/not-loaded.tsx";
import { Page } from "#ui/page.tsx";
import { useToast } from "#ui/toast.tsx";
import { useActs } from "./acts.tsx";
import type { Acts } from "./acts.tsx";
import { SessionList } from "./session-list.tsx";

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="k-panel o-stack" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const NO_PASSWORDS = { current: "", new_own: "", repeat: "" };

function PasswordForm({ ask }: Acts) {
  const { t } = useTranslation(["operator", "contract"]);
  const toast = useToast();
  const [typed, setTyped] = useState(NO_PASSWORDS);
  const [differs, setDiffers] = useState(false);
  const { current, new_own: password, repeat } = typed;
  const begin = () => {
    setDiffers(password !== repeat);
    if (password === repeat) {
      ask(
        { verb: "own_password" },
        (code) => exchange(ownRoutes.password, { body: { current, password, code } }),
        () => {
          toast.success(t("contract:saved"));
          setTyped(NO_PASSWORDS);
        },
      );
    }
  };
  return (
    <form
      className="o-stack"
      onSubmit={(event) => {
        event.preventDefault();
        begin();
      }}
    >
      {(["current", "new_own", "repeat"] as const).map((field) => (
        <label key={field} className="o-fields">
          {t(field)}
          <Input
            type="password"
            autoComplete={field === "current" ? "current-password" : "new-password"}
            maxLength={128}
            value={typed[field]}
            onChange={({ target }) => setTyped({ ...typed, [field]: target.value })}
          />
        </label>
      ))}
      <p className={differs ? "k-negative" : "k-note"} role={differs ? "alert" : undefined}>
        {t(differs ? "repeat_wrong" : "own_password_hint")}
      </p>
      <Button htmlType="submit" disabled={current === "" || password === ""}>
        {t("own_password")}
      </Button>
    </form>
  );
}

type Seed = Data<typeof ownRoutes.newSeed>;

function SeedDialog({ seed, onClose }: { seed: Seed; onClose: () => void }) {
  const { t } = useTranslation(["operator", "contract"]);
  const toast = useToast();
  const onCode = async (code: string) => {
    await call(ownRoutes.bindSeed, { body: { code } });
    toast.success(t("contract:saved"));
    return null;
  };
  return (
    <CodeDialog
      title={t("change_authenticator")}
      okText={t("bind")}
      onCode={onCode}
      onClose={onClose}
    >
      <p>{t("scan")}</p>
      <img className="o-qr" src={seed.qr_code} alt={t("qr")} width={176} height={176} />
      <p className="k-note">{t("scan_manual")}</p>
      <p>
        <code>{seed.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}</code>
      </p>
    </CodeDialog>
  );
}

export function OwnPage() {
  const { t } = useTranslation(["operator", "app", "ui"]);
  const { roles } = useUser();
  const own = useQuery(queryOf(ownRoutes.read, {}));
  const acts = useActs(ownRoutes.read);
  const [seed, setSeed] = useState<Seed | null>(null);
  const changeSeed = () =>
    acts.ask(
      { verb: "change_authenticator" },
      (code) => exchange(ownRoutes.newSeed, { body: { code } }),
      setSeed,
    );
  const makeCodes = () =>
    acts.ask(
      { verb: "recovery_make" },
      (code) => exchange(ownRoutes.recovery, { body: { code } }),
      ({ codes }) => acts.show({ title: t("recovery"), lines: codes }),
    );
  return (
    <Page title={t("app:activity_own")} refresh={() => void own.refetch()}>
      {own.isSuccess ? (
        <div className="o-own">
          <Section title={t("own_roles")}>
            <p>{roles.map((role) => t(`role_${role}`)).join(t("ui:list_comma"))}</p>
          </Section>
          <Section title={t("own_password")}>
            <PasswordForm {...acts} />
          </Section>
          <Section title={t("authenticator")}>
            <p className="k-note">{t("change_authenticator_hint")}</p>
            <Button onClick={changeSeed}>{t("change_authenticator")}</Button>
          </Section>
          <Section title={t("recovery")}>
            <p className="k-note">{t("recovery_left", { count: own.data.recovery_left })}</p>
            <Button onClick={makeCodes}>{t("recovery_make")}</Button>
          </Section>
          <Section title={t("sessions")}>
            <SessionList
              list={wholeList(own.data.sessions)}
              onEnd={(session_id) =>
                void acts.run(exchange(ownRoutes.endSessions, { body: { session_id } }))
              }
            />
          </Section>
        </div>
      ) : (
        <NotLoaded query={own} />
      )}
      {acts.dialogs}
      {seed !== null && <SeedDialog seed={seed} onClose={() => setSeed(null)} />}
    </Page>
  );
}
