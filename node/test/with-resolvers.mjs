// Node 20 has no Promise.withResolvers, which @platformatic/kafka needs.
Promise.withResolvers ??= () => {
  const resolvers = {}
  resolvers.promise = new Promise((resolve, reject) => Object.assign(resolvers, { resolve, reject }))
  return resolvers
}
