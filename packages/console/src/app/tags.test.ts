import { describe, expect, it } from "vitest";
import { close, closeOthers, tagsOf } from "./tags.ts";

const tag = (name: string, search = "") => ({ path: `/${name}`, search, title: name });
const THREE = [tag("a"), tag("b"), tag("c")];
const pathsOf = (tags: readonly { path: string }[]) => tags.map(({ path }) => path);

describe("closing", () => {
  it.each([
    ["/b", "/b", "/c"],
    ["/c", "/c", "/b"],
    ["/a", "/a", "/b"],
  ])("%s while %s is open leads to its neighbour %s", (path, openPath, next) => {
    expect(close(THREE, path, openPath)).toEqual({
      tags: THREE.filter((each) => each.path !== path),
      goTo: THREE.find((each) => each.path === next),
    });
  });

  it("another page than the open one stays on the open one", () => {
    const { tags, goTo } = close(THREE, "/b", "/a");
    expect([pathsOf(tags), goTo]).toEqual([["/a", "/c"], null]);
  });

  it("the last one goes home", () => {
    expect(close([tag("a")], "/a", "/a")).toEqual({ tags: [], goTo: "home" });
  });

  it("the others keeps the chosen page and opens it", () => {
    expect(closeOthers(THREE, "/b", "/a")).toEqual({ tags: [tag("b")], goTo: tag("b") });
    expect(closeOthers(THREE, "/b", "/b")).toEqual({ tags: [tag("b")], goTo: null });
  });
});

it.each([[null], ["x"], [[{ path: 1 }]], [{}]])("reads %o as no tags", (kept) => {
  expect(tagsOf(kept)).toEqual([]);
});
