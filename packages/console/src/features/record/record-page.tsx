import { PageTitle } from "#ui/page-title.tsx";

export function RecordPage() {
  return <PageTitle>RecordPage</PageTitle>;
}
