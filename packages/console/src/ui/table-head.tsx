interface TableHeadProps {
  titles: readonly string[];
  /** Titles above figures. */
  right: readonly string[];
}

/** The head of a plain table. */
export function TableHead({ titles, right }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {titles.map((title) => (
          <th key={title} scope="col" {...(right.includes(title) && { className: "k-right" })}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}
