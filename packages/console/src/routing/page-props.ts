// What a page gets: the parts of its address that its pattern names.

export type PageProps = Readonly<Record<string, string>>;
