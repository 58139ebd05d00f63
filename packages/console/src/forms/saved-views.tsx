import { DownOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { savedViewRoutes } from "@red/contract/identity/saved-view";
import type { SavedView } from "@red/contract/identity/saved-view";
import { changeBy } from "#lib/api.ts";
import { lazyPart } from "#lib/lazy-part.tsx";
import { queryOf } from "#lib/query.ts";
import { stringifySearch } from "#lib/search.ts";
import { useConfirm } from "#ui/confirm.tsx";
import { MenuButton } from "#ui/menu-button.tsx";
import { useOpened } from "#ui/opened.tsx";
import { useAct } from "./act.ts";
import { LoadFailedDialog } from "./load-failed-dialog.tsx";

const SaveViewDialog = lazyPart(
  async () => (await import("./save-view-dialog.tsx")).SaveViewDialog,
  LoadFailedDialog,
);

interface SavedViewsProps {
  page: string;
  filter: Readonly<Record<string, string | undefined>>;
  onChoose: (search: string) => void;
}

/**
 * Menu with the saved views of a list, beside the buttons of the filter form. A saved view is a set of filters that the
 * operator has named.
 */
export function SavedViews({ page, filter, onChoose }: SavedViewsProps) {
  const { t } = useTranslation("ui");
  const { act } = useAct(savedViewRoutes.list);
  const confirm = useConfirm();
  const saving = useOpened<string>();
  const { data } = useQuery(queryOf(savedViewRoutes.list, { query: { page } }));
  const views = data?.content ?? [];
  const search = stringifySearch(filter);
  const remove = async ({ id, view_name }: SavedView) => {
    const isMeant = await confirm({
      title: t("remove_view_of", { name: view_name }),
      okText: t("remove_view"),
      danger: true,
    });
    if (isMeant) {
      await act(changeBy(savedViewRoutes.remove, { params: { id } }));
    }
  };
  const items = [
    ...views.map((view) => ({
      key: `open:${view.id}`,
      label: view.view_name,
      onClick: () => onChoose(view.search),
    })),
    {
      key: "save",
      label: t("save_view"),
      disabled: search === "",
      onClick: () => saving.open(search),
    },
    ...(views.length === 0
      ? []
      : [
          {
            key: "remove",
            label: t("remove_view"),
            children: views.map((view) => ({
              key: `remove:${view.id}`,
              label: view.view_name,
              onClick: () => void remove(view),
            })),
          },
        ]),
  ];
  return (
    <>
      <MenuButton menu={{ items }}>
        <Button icon={<DownOutlined aria-hidden="true" />} iconPlacement="end">
          {t("views")}
        </Button>
      </MenuButton>
      {saving.show((one) => (
        <SaveViewDialog page={page} search={one} onClose={saving.close} />
      ))}
    </>
  );
}
