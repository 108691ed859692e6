//! YAML: each document is one of its own. Aliases and merge keys are followed.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::config::{Config, ConfigError, Entry};

/// More than a configuration has; aliases of aliases would give any number.
const MOST: usize = 20_000;
/// Longer than a key of a configuration is; each level of a document adds to it.
const DEEPEST: usize = 64;

/// A mapping or list that is open.
struct Open {
    /// The keys that lead to it.
    path: Vec<String>,
    /// The key whose value comes next, in a mapping.
    key: Option<String>,
    /// The next index, in a list.
    index: Option<usize>,
    /// Its anchor, and where its entries begin.
    anchor: usize,
    begin: usize,
}

/// Entries whose keys are still apart.
type Node = (Vec<String>, String, usize);

#[derive(Default)]
struct Document {
    nodes: Vec<Node>,
    open: Vec<Open>,
    /// What an anchor stands for, relative to it.
    anchors: HashMap<usize, Vec<Node>>,
}

pub(super) fn read(text: &str) -> Result<Vec<Config>, ConfigError> {
    let mut documents = Vec::new();
    let mut document = Document::default();
    for event in Parser::new_from_str(text) {
        // The message may quote the text, and with it a secret.
        let (event, span) = event.map_err(|error| ConfigError::at(error.marker().line(), "not YAML"))?;
        let line = span.start.line();
        match event {
            Event::DocumentStart(_) => document = Document::default(),
            Event::DocumentEnd => documents.push(std::mem::take(&mut document).config()),
            Event::Scalar(value, style, anchor, _) => document.scalar(&value, style, anchor, line)?,
            Event::Alias(anchor) => document.alias(anchor)?,
            Event::MappingStart(anchor, _) => document.open(anchor, None, line)?,
            Event::SequenceStart(anchor, _) => document.open(anchor, Some(0), line)?,
            Event::MappingEnd | Event::SequenceEnd => document.close(),
            Event::Nothing | Event::StreamStart | Event::StreamEnd => {}
        }
    }
    Ok(documents)
}

impl Document {
    /// The path of the value that comes next; none where a key is expected.
    fn next_path(&mut self) -> Option<Vec<String>> {
        let Some(open) = self.open.last_mut() else { return Some(Vec::new()) };
        let key = match &mut open.index {
            Some(index) => {
                *index += 1;
                (*index - 1).to_string()
            }
            None => open.key.take()?,
        };
        let mut path = open.path.clone();
        path.push(key);
        Some(path)
    }

    fn scalar(&mut self, value: &str, style: ScalarStyle, anchor: usize, line: usize) -> Result<(), ConfigError> {
        let null = style == ScalarStyle::Plain && matches!(value, "" | "~" | "null" | "Null" | "NULL");
        match self.next_path() {
            None => self.open.last_mut().expect("it waits for a key").key = Some(value.to_string()),
            Some(path) if !null => {
                if anchor > 0 {
                    self.anchors.insert(anchor, vec![(Vec::new(), value.to_string(), line)]);
                }
                self.add((path, value.to_string(), line))?;
            }
            Some(_) => {}
        }
        Ok(())
    }

    fn add(&mut self, node: Node) -> Result<(), ConfigError> {
        if self.nodes.len() >= MOST {
            return Err(ConfigError::at(node.2, format_args!("more than {MOST} values")));
        }
        if node.0.len() > DEEPEST {
            return Err(ConfigError::at(node.2, "nested too deep"));
        }
        self.nodes.push(node);
        Ok(())
    }

    fn alias(&mut self, anchor: usize) -> Result<(), ConfigError> {
        let nodes = self.anchors.get(&anchor).cloned().unwrap_or_default();
        match self.next_path() {
            // As a key.
            None => {
                let key = nodes.first().map_or(String::new(), |(_, value, _)| value.clone());
                self.open.last_mut().expect("it waits for a key").key = Some(key);
            }
            Some(path) => {
                for (rest, value, line) in nodes {
                    self.add(([path.clone(), rest].concat(), value, line))?;
                }
            }
        }
        Ok(())
    }

    fn open(&mut self, anchor: usize, index: Option<usize>, line: usize) -> Result<(), ConfigError> {
        if self.open.len() >= DEEPEST {
            return Err(ConfigError::at(line, "nested too deep"));
        }
        // A mapping as a key: no configuration has that, its parts are dropped with it.
        let path = self.next_path().unwrap_or_else(|| vec!["?".into()]);
        self.open.push(Open { path, key: None, index, anchor, begin: self.nodes.len() });
        Ok(())
    }

    fn close(&mut self) {
        let Some(closed) = self.open.pop() else { return };
        if closed.anchor > 0 {
            let depth = closed.path.len();
            let relative = |(path, value, line): &Node| (path[depth.min(path.len())..].to_vec(), value.clone(), *line);
            let nodes = self.nodes[closed.begin..].iter().map(relative).collect();
            self.anchors.insert(closed.anchor, nodes);
        }
        if let Some(open) = self.open.last_mut().filter(|_| closed.path == ["?"]) {
            open.key = Some("?".into());
        }
    }

    fn config(self) -> Config {
        let merged = |path: &[String]| path.iter().any(|key| key == "<<");
        // What is merged in gives way to what is written.
        let (merged, written): (Vec<Node>, Vec<Node>) = self.nodes.into_iter().partition(|(path, ..)| merged(path));
        let entry = |(path, value, line): Node| {
            // `<<: [*a, *b]` has indexes below it; of several the first holds.
            let mut keys: Vec<&str> = Vec::new();
            let mut path = path.iter().map(String::as_str).peekable();
            while let Some(key) = path.next() {
                if key != "<<" {
                    keys.push(key);
                } else if path.peek().is_some_and(|next| next.bytes().all(|byte| byte.is_ascii_digit())) {
                    path.next();
                }
            }
            Entry::new(keys.join("."), value, line)
        };
        Config { part: None, entries: merged.into_iter().rev().chain(written).map(entry).collect() }
    }
}
