/** The API documentation at /red/docs, and the description itself at /red/docs/json. */
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { openApi } from "#http/openapi";
import type { FastifyInstance } from "fastify";
import type { OpenAPIV3 } from "openapi-types";

/** Mounts the documentation. */
export async function mountDocs(app: FastifyInstance): Promise<void> {
  // It is plain JSON of OpenAPI 3.1; the plugin's types stop at 3.0, its page does not.
  const document = openApi() as unknown as OpenAPIV3.Document;
  await app.register(swagger, { mode: "static", specification: { document } });
  await app.register(swaggerUi, { routePrefix: "/red/docs", staticCSP: true });
}
