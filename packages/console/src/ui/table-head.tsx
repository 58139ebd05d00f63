interface TableHeadProps {
  titles: readonly string[];
  /** Titles of columns with numbers, which are aligned to the right. */
  right: readonly string[];
}

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
