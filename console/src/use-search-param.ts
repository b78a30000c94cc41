// State that the address holds, so that a list can be reloaded, linked and shared as it is.

import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";

const TYPING_MS = 300;

type SearchChange = Record<string, string | undefined>;

/** Changes parameters of the address; an empty text leaves it. */
export function useChangeSearch(): (changed: SearchChange) => void {
  const navigate = useNavigate();
  return useCallback(
    (changed) => {
      // The address as it is when it changes: a text is applied later than a select.
      const next = (now: SearchChange) => withoutEmpty({ ...now, ...changed });
      void navigate({ to: ".", search: next as never, replace: true, resetScroll: false });
    },
    [navigate],
  );
}

const withoutEmpty = (search: SearchChange): SearchChange =>
  Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== "" && value !== undefined),
  );

/** The filters of a list, as the address has them. */
export function useFilters<Search extends object>(
  parse: (search: Record<string, unknown>) => Search,
) {
  const search = parse(useSearch({ strict: false }));
  const changeSearch = useChangeSearch();
  const change = (changed: Partial<Record<keyof Search & string, string>>) =>
    changeSearch(changed as SearchChange);
  const clear = () =>
    changeSearch(Object.fromEntries(Object.keys(search).map((name) => [name, ""])));
  return { search, change, clear, isFiltered: Object.keys(search).length > 0 };
}

/** One parameter of the address. */
export function useSearchParam(name: string): [value: string, setValue: (value: string) => void] {
  const value = useSearch({
    strict: false,
    // The router reads a text of digits as a number.
    select: (search) => String((search as Record<string, unknown>)[name] ?? ""),
  });
  const changeSearch = useChangeSearch();
  const setValue = useCallback(
    (next: string) => changeSearch({ [name]: next }),
    [changeSearch, name],
  );
  return [value, setValue];
}

/** One of the options, which the address holds unless it is the default. */
export function useSearchOption<Option extends string>(
  name: string,
  options: Record<Option, unknown>,
  standard: NoInfer<Option>,
): [Option, (option: Option) => void] {
  const [value, setValue] = useSearchParam(name);
  return [
    Object.hasOwn(options, value) ? (value as Option) : standard,
    (option) => setValue(option === standard ? "" : option),
  ];
}

/** The text of a search field, which the address takes over when typing pauses. */
export function useSearchText(): [text: string, setText: (text: string) => void] {
  const [value, setValue] = useSearchParam("q");
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // What was typed since stays.
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      setValue(text);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, setValue]);
  return [text, setText];
}
