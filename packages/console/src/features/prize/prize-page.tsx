import { PageTitle } from "#ui/page-title.tsx";

export function PrizePage() {
  return <PageTitle>PrizePage</PageTitle>;
}
