/** Page of the operator's own account: password, authenticator, recovery codes, sessions (behaviour §9). */
import { useQuery } from "@tanstack/react-query";
import { Button, Form, Input } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "@red/contract/platform/limits";
import { ownRoutes } from "@red/contract/identity/operators";
import type { Data } from "@red/contract/platform/route";
import { markFields } from "#forms/check.ts";
import { ProofDialog } from "#forms/proof-dialog.tsx";
import { useAct } from "#forms/act.ts";
import { changeBy } from "#lib/api.ts";
import type { Proof } from "#lib/proof.ts";
import { queryOf } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { wholeList } from "#ui/list-state.ts";
import { NotLoaded } from "#ui/not-loaded.tsx";
import { useOpened } from "#ui/opened.tsx";
import { Page } from "#ui/page.tsx";
import { useActs } from "./operator-acts.tsx";
import type { Acts } from "./operator-acts.tsx";
import { SessionList } from "./session-list.tsx";

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="k-panel o-stack" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const NO_PASSWORDS = { current: "", password: "", repeat: "" };

function PasswordForm({ ask }: Acts) {
  const { t } = useTranslation(["operator", "contract"]);
  const [form] = Form.useForm<typeof NO_PASSWORDS>();
  const save = async (body: Record<"current" | "password", string>) => {
    const saved = await ask({ verb: "own_password" }, changeBy(ownRoutes.password, { body }));
    if (saved.ok) {
      form.resetFields();
    } else {
      const { key, message, faults } = saved.error;
      markFields(form, key === "password_wrong" ? [{ field: "current", msg: message }] : faults);
    }
  };
  const begin = ({ current, password, repeat }: typeof NO_PASSWORDS) => {
    const { length } = Array.from(password.normalize("NFKC"));
    const isFit = length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX;
    const faults = [
      ...(current === ""
        ? [{ field: "current", msg: t("contract:required", { field: t("current") }) }]
        : []),
      ...(isFit ? [] : [{ field: "password", msg: t("own_password_length") }]),
      ...(isFit && password === current
        ? [{ field: "password", msg: t("contract:password_same") }]
        : []),
      ...(password === repeat ? [] : [{ field: "repeat", msg: t("repeat_wrong") }]),
    ];
    markFields(form, faults);
    if (faults.length === 0) {
      void save({ current, password });
    }
  };
  return (
    <Form
      form={form}
      layout="vertical"
      className="k-form"
      initialValues={NO_PASSWORDS}
      onFinish={begin}
    >
      <p className="k-note">{t("own_password_hint")}</p>
      {(["current", "password", "repeat"] as const).map((field) => (
        <Form.Item key={field} name={field} label={t(field)}>
          <Input
            type="password"
            autoComplete={field === "current" ? "current-password" : "new-password"}
            maxLength={PASSWORD_LENGTH_MAX}
          />
        </Form.Item>
      ))}
      <Button htmlType="submit">{t("own_password")}</Button>
    </Form>
  );
}

type Seed = Data<typeof ownRoutes.newSeed>;

/** A recovery code is not enough here: only a one-time code proves that the new authenticator works. */
const CODE_ONLY = { code: true, recovery: false, reason: false };

function SeedDialog({ seed, onClose }: { seed: Seed; onClose: () => void }) {
  const { t } = useTranslation("operator");
  const { act } = useAct();
  const bind = async ({ code = "" }: Proof) => {
    const bound = await act(changeBy(ownRoutes.bindSeed, { body: { code } }), { done: onClose });
    return bound.ok ? null : bound.error.message;
  };
  return (
    <ProofDialog
      title={t("change_authenticator")}
      okText={t("bind")}
      needs={CODE_ONLY}
      give={bind}
      onClose={onClose}
    >
      <p>{t("scan")}</p>
      <img className="o-qr" src={seed.qr_code} alt={t("qr")} width={176} height={176} />
      <p className="k-note">{t("scan_manual")}</p>
      <p>
        <code>{seed.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}</code>
      </p>
    </ProofDialog>
  );
}

export function OwnPage() {
  const { t } = useTranslation(["operator", "app", "ui"]);
  const { name, roles } = useUser();
  const own = useQuery(queryOf(ownRoutes.read, {}));
  const acts = useActs(ownRoutes.read);
  const seed = useOpened<Seed>();
  const changeSeed = () =>
    void acts.ask({ verb: "change_authenticator" }, changeBy(ownRoutes.newSeed, {}), seed.open);
  const makeCodes = () =>
    void acts.ask({ verb: "recovery_make" }, changeBy(ownRoutes.recovery, {}), ({ codes }) =>
      acts.show({ title: t("recovery"), lines: codes }),
    );
  return (
    <Page title={t("app:activity_own")} refresh={() => void own.refetch()}>
      {own.isSuccess ? (
        <div className="o-own">
          <Section title={t("own_roles")}>
            <p>{t("of", { what: t("name"), name })}</p>
            {roles.map((role) => (
              <p key={role}>
                {t(`role_${role}`)} <span className="k-note">{t(`role_${role}_may`)}</span>
              </p>
            ))}
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
              {...{ name, acts }}
              list={wholeList(own.data.sessions)}
              end={(session_id) => changeBy(ownRoutes.endSessions, { body: { session_id } })}
            />
          </Section>
        </div>
      ) : (
        <NotLoaded query={own} />
      )}
      {acts.secrets}
      {seed.show((made) => (
        <SeedDialog seed={made} onClose={seed.close} />
      ))}
    </Page>
  );
}
