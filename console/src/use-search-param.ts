// State that the address holds, so that a list can be reloaded, linked and shared as it is.

import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";

const TYPING_MS = 300;

/** An empty text leaves the address. */
export function useSearchParam(name: string): [value: string, setValue: (value: string) => void] {
  const value = useSearch({
    strict: false,
    // The router reads a text of digits as a number.
    select: (search) => String((search as Record<string, unknown>)[name] ?? ""),
  });
  const navigate = useNavigate();
  const setValue = useCallback(
    (next: string) =>
      void navigate({
        to: ".",
        // As the address is when it changes: a text is applied later than a select.
        search: ((now: Record<string, unknown>) => ({
          ...now,
          [name]: next || undefined,
        })) as never,
        replace: true,
        resetScroll: false,
      }),
    [navigate, name],
  );
  return [value, setValue];
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
