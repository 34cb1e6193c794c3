# Writes comparison.json beside this file: references of test/stats (comparison of models, permutation).
# Run: Rscript test/reference/comparison.R (R packages pROC, clubSandwich, jsonlite)
suppressPackageStartupMessages({
  library(pROC)
  library(clubSandwich)
})
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
set.seed(11)

# ---- one fold, one row per patient: DeLong's paired test as pROC has it ----------------------------------------------
data(aSAH)
y <- as.integer(aSAH$outcome == "Poor")
wfns <- as.integer(aSAH$wfns)
paired <- roc.test(roc(y, wfns, quiet = TRUE), roc(y, aSAH$s100b, quiet = TRUE), method = "delong", paired = TRUE)
asah <- list(
  y = y, a = wfns / 6, b = aSAH$s100b / 3,
  difference = unname(paired$estimate[1] - paired$estimate[2]), z = unname(paired$statistic), pNormal = paired$p.value
)

# ---- three folds, patients with several rows: written from the definitions ------------------------------------------
placements <- function(score, y) {
  psi <- function(p, q) (p > q) + 0.5 * (p == q)
  m <- outer(score[y == 1], score[y == 0], psi)
  out <- numeric(length(y))
  out[y == 1] <- rowMeans(m)
  out[y == 0] <- colMeans(m)
  list(auc = mean(m), values = out)
}
patients <- rep(1:36, times = rep(c(1, 2, 4), 12))
n <- length(patients)
label <- rbinom(36, 1, 0.45)
y <- label[patients]
flip <- runif(n) < 0.15 # some patients have rows of both classes
y <- ifelse(flip, 1 - y, y)
fold <- (patients - 1) %% 3
a <- round(plogis(1.2 * y + rnorm(36)[patients] + rnorm(n)), 2)
b <- round(plogis(0.6 * y + rnorm(36)[patients] + rnorm(n)), 2)

influence <- function(score) {
  parts <- lapply(0:2, function(f) placements(score[fold == f], y[fold == f]))
  auc <- mean(sapply(parts, `[[`, "auc"))
  out <- numeric(n)
  for (f in 0:2) {
    rows <- which(fold == f)
    count <- ifelse(y[rows] == 1, sum(y[rows] == 1), sum(y[rows] == 0))
    out[rows] <- (parts[[f + 1]]$values - auc) / (3 * count)
  }
  list(auc = auc, values = out)
}
# Patients are strata by the set of their classes; n_c / (n_c - 1) times the sum of squares in each.
stratified <- function(values, y, patients) {
  sums <- tapply(values, patients, sum)
  kind <- tapply(y, patients, function(v) paste(sort(unique(v)), collapse = ""))
  rows <- tapply(values, patients, length)
  parts <- sapply(unique(kind), function(k) {
    m <- sum(kind == k)
    effective <- sum(rows[kind == k])^2 / sum(rows[kind == k]^2)
    c(m / (m - 1) * sum(sums[kind == k]^2), effective)
  })
  variance <- sum(parts[1, ])
  list(variance = variance, df = variance^2 / sum(parts[1, ]^2 / (parts[2, ] - 1)))
}
ia <- influence(a)
ib <- influence(b)
spread <- stratified(ia$values - ib$values, y, patients)
auc <- list(difference = ia$auc - ib$auc, se = sqrt(spread$variance), df = spread$df)
auc$p <- 2 * pt(-abs(auc$difference / auc$se), auc$df)
auc$lower <- auc$difference - qt(0.975, auc$df) * auc$se
auc$upper <- auc$difference + qt(0.975, auc$df) * auc$se

# Accuracy and Brier pool the rows: their difference is a mean over rows, whose clustered variance CR1 is by clubSandwich.
pooled <- function(d) {
  fit <- lm(d ~ 1)
  se <- sqrt(vcovCR(fit, cluster = patients, type = "CR1")[1, 1])
  rows <- table(patients)
  df <- sum(rows)^2 / sum(rows^2) - 1
  list(difference = mean(d), se = se, df = df, p = 2 * pt(-abs(mean(d) / se), df))
}
accuracy <- pooled(((a > 0.5) == y) - ((b > 0.5) == y))
brier <- pooled((a - y)^2 - (b - y)^2)

# ---- corrected resampled t and the Bayesian correlated t, per fold on AUC, n_test / n_train in patients --------------
scores <- function(score) sapply(0:2, function(f) placements(score[fold == f], y[fold == f])$auc)
d <- scores(a) - scores(b)
se <- sqrt(var(d) * (1 / 3 + 12 / 24))
rope <- 0.05
corrected <- list(
  difference = mean(d), se = se, p = 2 * pt(-abs(mean(d) / se), 2),
  lower = mean(d) - qt(0.975, 2) * se, upper = mean(d) + qt(0.975, 2) * se, rope = rope,
  left = pt((-rope - mean(d)) / se, 2), right = pt((rope - mean(d)) / se, 2, lower.tail = FALSE)
)
corrected$within <- 1 - corrected$left - corrected$right

# ---- sign flip: all 2^12 swaps of 12 patients in two folds ------------------------------------------------------------
few <- rep(1:12, each = 2)
fewY <- rep(c(0, 1, 0, 1, 1, 0), 4)
fewFold <- rep(0:1, each = 12)
fewA <- round(plogis(1.6 * fewY + rnorm(24)), 2)
fewB <- round(plogis(4 * (0.4 * fewY + rnorm(24))), 2)
byFold <- function(f) tapply(seq_along(few), fewFold, f)
ranksA <- numeric(24)
ranksB <- numeric(24)
for (f in 0:1) {
  ranksA[fewFold == f] <- rank(fewA[fewFold == f])
  ranksB[fewFold == f] <- rank(fewB[fewFold == f])
}
aucOf <- function(s) mean(byFold(function(i) placements(s[i], fewY[i])$auc))
accuracyOf <- function(s) mean((s > 0.5) == fewY)
exact <- function(a, b, value) {
  observed <- abs(value(a) - value(b))
  swaps <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), 12)))
  reached <- apply(swaps, 1, function(s) {
    s <- s[few]
    abs(value(ifelse(s, b, a)) - value(ifelse(s, a, b))) >= observed - 1e-12
  })
  list(difference = value(a) - value(b), p = mean(reached))
}
signFlip <- list(
  patients = few, y = fewY, fold = fewFold, a = fewA, b = fewB,
  auc = exact(ranksA, ranksB, aucOf), aucUnranked = exact(fewA, fewB, aucOf), accuracy = exact(fewA, fewB, accuracyOf)
)

# ---- permutation test: given probabilities against all exchanges of the labels, on the pooled Brier score --------------
reached <- function(value, all) mean(all <= value + 1e-12)
brierOf <- function(x, y) mean((x - y)^2)
py <- c(1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1)
x <- round(plogis(0.7 * py - 0.3 + rnorm(14)), 3)
ways <- apply(combn(14, 7), 2, function(positive) brierOf(x, as.integer(1:14 %in% positive)))
rows <- list(x = x, y = py, brier = brierOf(x, py), p = reached(brierOf(x, py), ways))
# Eight patients with two or three rows, one label each: all choose(8, 4) ways to give four of them the label 1.
unit <- rep(1:8, times = rep(2:3, 4))
unitLabel <- c(1, 0, 1, 0, 1, 0, 0, 1)
unitX <- round(plogis(1.2 * unitLabel[unit] - 0.6 + rnorm(8)[unit] + 0.3 * rnorm(length(unit))), 3)
ways <- apply(combn(8, 4), 2, function(positive) brierOf(unitX, as.integer(unit %in% positive)))
observed <- brierOf(unitX, unitLabel[unit])
blocks <- list(patients = unit, y = unitLabel[unit], x = unitX, brier = observed, p = reached(observed, ways))
# Labels that vary: within patients each patient's labels in all orders; between patients of three rows all orders of them.
visit <- rep(1:4, each = 3)
visitY <- c(1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1)
visitX <- round(plogis(1.1 * visitY - 0.5 + rnorm(12)), 3)
orders <- list(c(1, 2, 3), c(1, 3, 2), c(2, 1, 3), c(2, 3, 1), c(3, 1, 2), c(3, 2, 1))
within <- apply(expand.grid(1:6, 1:6, 1:6, 1:6), 1, function(k) {
  order <- unlist(lapply(1:4, function(p) (p - 1) * 3 + orders[[k[p]]]))
  brierOf(visitX, visitY[order])
})
four <- expand.grid(1:4, 1:4, 1:4, 1:4)
four <- four[apply(four, 1, function(k) length(unique(k)) == 4), ]
between <- apply(four, 1, function(k) brierOf(visitX, visitY[unlist(lapply(k, function(p) (p - 1) * 3 + 1:3))]))
visitBrier <- brierOf(visitX, visitY)
visits <- list(patients = visit, y = visitY, x = visitX, brier = visitBrier,
               pWithin = reached(visitBrier, within), pBetween = reached(visitBrier, between))

# ---- difference between a subgroup and the rest of the same patients ---------------------------------------------------
inside <- seq_len(n) %% 2 == 0
meanOf <- function(hit, part) sum(hit[part]) / sum(part)
hit <- as.integer((a > 0.5) == y)
gap <- meanOf(hit, inside) - meanOf(hit, !inside)
infl <- ifelse(inside, (hit - meanOf(hit, inside)) / sum(inside), -(hit - meanOf(hit, !inside)) / sum(!inside))
sums <- tapply(infl, patients, sum)
rowsOf <- tapply(infl, patients, length)
subgroup <- list(inside = as.integer(inside), difference = gap, se = sqrt(36 / 35 * sum(sums^2)),
                 df = sum(rowsOf)^2 / sum(rowsOf^2) - 1)

pValues <- c(0.01, 0.04, 0.03, 0.2, 0.04, 0.001, 0.9)
adjusted <- list(p = pValues, holm = p.adjust(pValues, "holm"), bonferroni = p.adjust(pValues, "bonferroni"),
                 benjamini_hochberg = p.adjust(pValues, "BH"))
t <- expand.grid(t = c(-30, -2.5, -0.1, 0, 0.3, 1, 4, 60), df = c(1, 2, 4.5, 30, 1000))
studentT <- cbind(t$t, t$df, pt(t$t, t$df), 2 * pt(-abs(t$t), t$df))

versions <- lapply(c(pROC = "pROC", clubSandwich = "clubSandwich"), function(p) as.character(packageVersion(p)))
versions$R <- paste(R.version$major, R.version$minor, sep = ".")
json <- list(
  versions = versions, asah = asah,
  clustered = list(patients = patients, y = y, fold = fold, a = a, b = b, auc = auc, accuracy = accuracy, brier = brier,
                   corrected = corrected, subgroup = subgroup),
  signFlip = signFlip, permutation = list(rows = rows, blocks = blocks, visits = visits), adjusted = adjusted,
  studentT = studentT
)
write(jsonlite::toJSON(json, auto_unbox = TRUE, digits = NA), file.path(here, "comparison.json"))
