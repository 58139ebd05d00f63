/** Serves the API documentation at /red/docs, and the OpenAPI description at /red/docs/json. */
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { openApi } from "./openapi.ts";
import type { FastifyInstance } from "fastify";
import type { OpenAPIV3 } from "openapi-types";

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="5" y="2" width="22" height="28" rx="4" fill="#d9363e"/><circle cx="16" cy="15" r="5" fill="#f8d27a"/></svg>';

/** The page loads nothing from other hosts, so it works without a network. */
export async function mountDocs(app: FastifyInstance): Promise<void> {
  // The page supports OpenAPI 3.1, but the types of the plugin only 3.0.
  const document = openApi() as unknown as OpenAPIV3.Document;
  await app.register(swagger, { mode: "static", specification: { document } });
  await app.register(swaggerUi, {
    routePrefix: "/red/docs",
    // The policy of the whole server applies to the page. It allows the inline styles that the page sets.
    staticCSP: false,
    uiConfig: {
      // This layout has no top bar, which would show the library's logo and load any address.
      layout: "BaseLayout",
      deepLinking: true,
      docExpansion: "none",
      defaultModelsExpandDepth: -1,
    },
    theme: {
      title: "red packet API",
      favicon: [
        {
          filename: "icon.svg",
          rel: "icon",
          type: "image/svg+xml",
          sizes: "any",
          content: ICON,
        },
      ],
    },
  });
}
