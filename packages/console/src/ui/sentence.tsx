const TIME = /(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})/;

/** Shows a text whose dates do not wrap at their hyphens. */
export function Sentence({ text }: { text: string }) {
  return text.split(TIME).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="k-num">
        {part}
      </span>
    ),
  );
}
