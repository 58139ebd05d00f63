import { fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { beforeAll, expect, it } from "vitest";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import { renderApp } from "#test/app.tsx";
import { serve, signIn } from "#test/server.ts";
import { ReasonInput } from "./reason-input.tsx";

beforeAll(() => signIn("player.read"));

function Reason() {
  const [reason, setReason] = useState("");
  return (
    <ReasonInput
      aria-label="reason"
      value={reason}
      onChange={(event) => setReason(event.target.value)}
    />
  );
}

const type = (value: string) =>
  fireEvent.change(screen.getByLabelText("reason"), { target: { value } });

it("lists the players that the text names, with one call, and nothing for an older text", async () => {
  const asked = serve(playerViewRoutes.named, { user_names: ["anna", "李雷"] });
  renderApp(<Reason />);
  type("an");
  type("因anna、李雷申诉");
  expect(await screen.findByText("其中的玩家：anna、李雷")).toBeDefined();
  expect(asked).toMatchObject([{ body: { text: "因anna、李雷申诉" } }]);
  type("因an");
  expect(screen.queryByText(/其中的玩家/)).toBeNull();
});
