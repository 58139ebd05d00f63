import { PageTitle } from "#ui/page-title.tsx";

export function ActivityPage() {
  return <PageTitle>ActivityPage</PageTitle>;
}
