/** What every page of lists has: its title, its keys, and the sheet that tells them. */
import { QuestionCircleOutlined } from "@ant-design/icons";
import { Button } from "antd";
import type { ReactNode } from "react";
import { useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Hint } from "./hint.tsx";
import { KeySheet } from "./key-sheet.tsx";
import { usePageKeys } from "./page-keys.ts";
import type { PageKeys } from "./page-keys.ts";
import { PageTitle } from "./page-title.tsx";

interface PageProps {
  title: string;
  keys: PageKeys;
  children: ReactNode;
}

export function Page({ title, keys, children }: PageProps) {
  const { t } = useTranslation("ui");
  const page = useRef<HTMLDivElement>(null);
  const [help, setHelp] = useState(false);
  const openHelp = useCallback(() => setHelp(true), []);
  usePageKeys(page, keys, openHelp);
  return (
    <div ref={page} className="k-page">
      <PageTitle
        extra={
          <Hint title={t("keys")}>
            <Button
              type="text"
              className="k-help"
              icon={<QuestionCircleOutlined aria-hidden="true" />}
              aria-label={t("keys")}
              onClick={openHelp}
            />
          </Hint>
        }
      >
        {title}
      </PageTitle>
      {children}
      <KeySheet open={help} onClose={() => setHelp(false)} />
    </div>
  );
}
