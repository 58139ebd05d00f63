import { App } from "antd";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { approvalRoutes } from "@red/contract/approvals/approval";
import { onNotice, stayedOnPage } from "#lib/notices.ts";
import { queryClient, refresh } from "#lib/query.ts";
import { leaveAskedProof } from "#lib/proof.ts";
import { signOutAndReload, useUser } from "#lib/session.ts";
import { useToast } from "#ui/toast.tsx";
import { reloadPage } from "./page-reload.ts";
import { AskedProof } from "./proof-question.tsx";

export function Notices() {
  const { t } = useTranslation(["app", "ui"]);
  const { modal } = App.useApp();
  const toast = useToast();
  const permissions = useUser().permissions.join();
  const known = useRef(permissions);
  useEffect(() => {
    // The new roles may hide fields in lists (behaviour §9) or forbid the open page, so load everything again.
    if (known.current !== permissions) {
      known.current = permissions;
      leaveAskedProof();
      reloadPage();
      void queryClient.invalidateQueries();
    }
  }, [permissions]);
  useEffect(() => onNotice("error", (text) => toast.error(text)), [toast]);
  useEffect(
    () =>
      onNotice("waits", (text) => {
        toast.warning(text);
        void refresh(approvalRoutes.list, approvalRoutes.news);
      }),
    [toast],
  );
  useEffect(
    () =>
      onNotice("relogin", () => {
        modal.confirm({
          title: t("relogin_title"),
          centered: true,
          // The specification gives this text in English for both languages.
          content: <span lang="en">{t("relogin_text")}</span>,
          okText: t("relogin_ok"),
          cancelText: t("ui:cancel"),
          onOk: signOutAndReload,
          onCancel: stayedOnPage,
        });
      }),
    [modal, t],
  );
  return <AskedProof />;
}
