/** The API documentation at /red/docs, and the description itself at /red/docs/json. */
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { openApi } from "./openapi.ts";
import type { FastifyInstance } from "fastify";
import type { OpenAPIV3 } from "openapi-types";

/** In the colours of the console's icon. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="5" y="2" width="22" height="28" rx="4" fill="#d9363e"/><circle cx="16" cy="15" r="5" fill="#f8d27a"/></svg>';

/** The page loads nothing from other hosts, so it works without a network. */
export async function mountDocs(app: FastifyInstance): Promise<void> {
  // The page reads OpenAPI 3.1; the plugin's types stop at 3.0.
  const document = openApi() as unknown as OpenAPIV3.Document;
  await app.register(swagger, { mode: "static", specification: { document } });
  await app.register(swaggerUi, {
    routePrefix: "/red/docs",
    // The page obeys the policy of the whole server, which allows the inline styles that it sets.
    staticCSP: false,
    uiConfig: {
      // Without the bar that shows the library's logo and loads any address.
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
