/**
 * Runs before every test file of the console. It loads all texts, waits longer for a busy machine and clears the page.
 */
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach } from "vitest";
import { FIELD_LABELS } from "@red/contract/pools/field-labels";
import { CODE_TEXTS } from "@red/contract/platform/code-texts";
import { TITLES } from "#app/pages.ts";
import { addTexts } from "#lib/language.ts";
import { queryClient } from "#lib/query.ts";
import { startServer } from "#test/server.ts";

type Catalogues = Record<string, Parameters<typeof addTexts>[1]>;

configure({ asyncUtilTimeout: 10_000 });

addTexts("lookups", CODE_TEXTS);
addTexts("fields", FIELD_LABELS);
addTexts("app", TITLES);
const files = import.meta.glob<Catalogues>("../src/**/*-texts.ts", { eager: true });
for (const [name, texts] of Object.values(files).flatMap((module) => Object.entries(module))) {
  addTexts(name.replace("_TEXTS", "").toLowerCase(), texts);
}

startServer();
beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  queryClient.clear();
});
